// read: it exports alice_plugin_1_bad and alice_plugin_1_worse; a plug-in exports just one record
#include "template.h"
ALICE_EXPORT const alice_record alice_plugin_1_worse = {ALICE_RECORD};
