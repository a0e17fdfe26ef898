//! The built-in games, what is made of them, and what a config may say.

use alice_config::{Config, builtin_names, builtin_text, load, load_file, parse, template};
use alice_core::{Board, BoardSet, Stalemate, Staying, Transfer};

/// A config that must be read.
fn read(text: &str) -> Config {
    parse("test", text).unwrap_or_else(|error| panic!("{error}"))
}

/// Changes to a built-in game.
fn over(game: &str, top: &str, rest: &str) -> Config {
    read(&format!("extends = \"{game}\"\n{top}\n[about]\ntitle = \"Test\"\nsource = \"none\"\n{rest}"))
}

/// All rules, to be compared.
fn rules(config: &Config) -> String {
    let mut rules = config.variant.rules().clone();
    rules.name.clear();
    format!("{rules:?}")
}

fn transfer(config: &Config) -> alice_core::StandardTransfer {
    match &config.variant.rules().transfer {
        Transfer::Standard(transfer) => transfer.clone(),
        Transfer::Foreign(_) => panic!("no config has foreign code"),
    }
}

#[test]
fn every_built_in_game_can_be_played_and_says_where_it_is_from() {
    assert_eq!(builtin_names().len(), 13);
    for name in builtin_names() {
        let config = load(name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(config.name, name);
        assert!(!config.about.title.is_empty() && !config.about.source.is_empty(), "{name}");
        assert!(!config.about.summary.is_empty(), "{name}");
        assert!(!config.variant.start().legal_moves().is_empty(), "{name}");
    }
}

#[test]
fn every_file_of_the_configs_is_built_in_and_reads_the_same_as_a_file() {
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir("../../configs").expect("the folder of configs is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            continue;
        }
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        assert_eq!(builtin_text(&name), Some(text.as_str()));
        // So are the weights that belong to it, if there are any.
        let weights =
            std::fs::read_to_string(path.with_file_name("weights").join(format!("{name}.toml"))).ok();
        assert_eq!(alice_config::builtin_weights(&name), weights.as_deref());
        let (file, built_in) = (load_file(&path).unwrap(), load(&name).unwrap());
        assert_eq!(rules(&file), rules(&built_in));
        assert_eq!(file.about, built_in.about);
        names.push(name);
    }
    let mut built_in = builtin_names();
    names.sort();
    built_in.sort();
    assert_eq!(names, built_in);
}

#[test]
fn a_template_plays_as_the_game_it_was_made_of() {
    for name in builtin_names() {
        let text = template(name).expect("every built-in game has a template");
        assert_eq!(rules(&read(&text)), rules(&load(name).unwrap()), "{name}");
    }
    assert_eq!(template("no such game"), None);
}

#[test]
fn a_user_file_is_extended_by_its_path_and_named_by_its_own() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).expect("the folder can be made");
        std::fs::write(&path, text).expect("the file can be written");
        path
    };
    let about = "[about]\ntitle = \"T\"\nsource = \"S\"\n";
    write("base/wide.toml", "extends = \"deeper/cyclic.toml\"\n[boards]\ncount = 4\n");
    write("base/deeper/cyclic.toml", "extends = \"alice\"\n[ends]\nrepetition = \"off\"\n");
    let path = write("mine.toml", &format!("extends = \"base/wide.toml\"\n{about}"));
    let config = load(path.to_str().unwrap()).unwrap();
    assert_eq!(config.name, "mine");
    assert_eq!(config.variant.rules().boards, 4);
    assert_eq!(config.variant.rules().ends.repetition, None);
    assert_eq!(transfer(&config).to[3], BoardSet::of(Board(0)));
}

#[test]
fn extending_merges_tables_and_replaces_everything_else() {
    let config = over(
        "chess",
        "en-passant = \"either\"",
        "[boards]\ncount = 2\n[transfer.next]\n[men.knight]\nmovement = \"NN\"\n[men.rook]\nletter = \"T\"\n\
         [start]\nA = \"tnbqkbnt/pppppppp/8/8/8/8/PPPPPPPP/TNBQKBNT\"\n[ends]\nstalemate = \"loss\"\n",
    );
    let rules = config.variant.rules();
    let names: Vec<&str> = rules.men.iter().map(|man| man.name.as_str()).collect();
    assert_eq!(names, ["pawn", "knight", "bishop", "rook", "queen", "king"]);
    let letters: String = rules.men.iter().map(|man| man.letter).collect();
    assert_eq!(letters, "PNBTQK");
    assert_eq!((rules.shape.files(), rules.boards), (8, 2));
    assert_eq!((rules.ends.stalemate, rules.ends.repetition), (Stalemate::Loss, Some(3)));
    assert_eq!((rules.castling.len(), config.variant.start().setup().castling), (4, 15));
    assert_eq!(config.about.title, "Test");
    assert_eq!(config.about.inventor, "");
}

#[test]
fn a_transfer_and_zero_moves_replace_those_that_are_extended_as_a_whole() {
    let config = over("duo", "", "[transfer.any-other]\n[zero-moves]\nmen = [\"king\"]\n");
    let transfer = transfer(&config);
    assert_eq!(transfer.staying, Staying::Never);
    assert_eq!(transfer.zero.men.iter().count(), 1);
    assert!(!transfer.zero.capture);
    assert!(config.variant.rules().tests.before_zero_move);
    let none = over("duo", "zero-moves = \"none\"\ncastling = \"off\"", "");
    assert_eq!(self::transfer(&none).zero.men.iter().count(), 0);
    assert_eq!(self::transfer(&none).staying, Staying::Always);
    assert_eq!(none.variant.start().setup().castling, 0);
}

#[test]
fn castling_rights_are_those_written_or_those_of_men_at_home() {
    let rights =
        |start: &str| over("chess", "", &format!("[start]\n{start}\n")).variant.start().setup().castling;
    let without_a1 = "A = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR\"";
    assert_eq!(rights(""), 15);
    assert_eq!(rights(without_a1), 13);
    assert_eq!(rights("castling = \"Qk\""), 6);
    assert_eq!(rights("castling = \"-\""), 0);
}

#[test]
fn double_steps_start_where_pawns_start_or_where_it_is_said() {
    let initial = |rest: &str| {
        let config = over("chess", "", rest);
        let rules = config.variant.rules();
        let pawn = rules.kind_of_letter('P').unwrap();
        let ranks = |colour| -> Vec<i32> {
            let file_a = rules.shape.all().filter(|c| rules.shape.coordinates(*c)[0] == 0);
            let initial = file_a.filter(|c| rules.initial(pawn, colour, *c));
            initial.map(|c| rules.shape.coordinates(c)[1] + 1).collect()
        };
        (rules.double_steps(pawn), ranks(alice_core::Colour::White), ranks(alice_core::Colour::Black))
    };
    assert_eq!(initial(""), (true, vec![2], vec![7]));
    assert_eq!(initial("[men.pawn]\ndouble-step = { ranks = [2, 3] }"), (true, vec![2, 3], vec![6, 7]));
    assert_eq!(initial("[men.pawn]\ndouble-step = { ranks = [] }"), (true, vec![], vec![]));
    assert!(!initial("[men.pawn]\ndouble-step = false").0);
    let uneven = "[start]\nA = \"rnbqkbnr/ppppppp1/7p/8/8/8/PPPPPPPP/RNBQKBNR\"";
    assert_eq!(initial(uneven), (true, vec![2], vec![6, 7]));
}

#[test]
fn a_man_whose_movement_is_an_empty_list_never_moves() {
    let game = over("chess", "", "[men.knight]\nmovement = []\n");
    let moves = game.variant.start().legal_moves();
    assert_eq!(moves.len(), 16, "only the pawns move");
}

#[test]
fn a_pawn_promotes_on_its_last_rank_or_where_it_is_said() {
    let promotes = |game: &str, rest: &str, colour| -> Vec<String> {
        let config = over(game, "", rest);
        let rules = config.variant.rules();
        let pawn = rules.kind_of_letter('P').unwrap();
        let cells = rules.shape.all().filter(|c| rules.promotes(pawn, colour, *c));
        let file_a = cells.filter(|c| rules.shape.coordinates(*c)[0] == 0);
        file_a.map(|c| rules.shape.cell_name(c)).collect()
    };
    let (white, black) = (alice_core::Colour::White, alice_core::Colour::Black);
    assert_eq!(promotes("chess", "", white), ["a8"]);
    assert_eq!(promotes("chess", "", black), ["a1"]);
    assert_eq!(promotes("chess", "[men.pawn]\npromotes-on = { ranks = [6, 8] }", black), ["a1", "a3"]);
    assert_eq!(promotes("raumschach", "", white), ["Ea5"]);
    assert_eq!(promotes("raumschach", "", black), ["Aa1"]);
    let lower = "[men.pawn]\npromotes-on = { levels = [4, 5] }";
    assert_eq!(promotes("raumschach", lower, black), ["Aa1", "Ba1"]);
}

#[test]
fn the_test_before_the_transfer_can_be_left_out_for_zero_moves_only() {
    let tests = |game, rest: &str| over(game, "", rest).variant.rules().tests;
    let duo = tests("duo", "");
    assert!(duo.before_transfer && !duo.before_zero_move && duo.after_transfer);
    let mrs = tests("mrs-alice", "");
    assert!(mrs.before_transfer && mrs.before_zero_move && mrs.after_transfer);
    let off = tests("mrs-alice", "[check]\nbefore-transfer = false\n");
    assert!(!off.before_transfer && !off.before_zero_move && off.after_transfer);
}

#[test]
fn a_file_with_windows_line_ends_and_a_byte_order_mark_is_read() {
    let chess = builtin_text("chess").unwrap().replace('\n', "\r\n");
    assert_eq!(rules(&read(&format!("\u{feff}{chess}"))), rules(&load("chess").unwrap()));
}

#[test]
fn the_largest_boards_and_most_of_them_can_be_read() {
    let start = ["16"; 14].join("/");
    let config = read(&format!(
        "[about]\ntitle = \"T\"\nsource = \"S\"\n[boards]\ncount = 8\nfiles = 16\nranks = 16\n\
         [transfer.any-other]\n[start]\nH = \"k15/{start}/15K\"\n[men.king]\nletter = \"K\"\nmovement = \"K\"\nroyal = true\n"
    ));
    assert_eq!(config.variant.rules().shape.cells(), 256);
    assert_eq!(config.variant.start().legal_moves().len(), 21);
}

/// Answers with what it was asked.
#[derive(Default)]
struct Asked(Vec<alice_config::Need>);

impl alice_config::Plugins for Asked {
    fn transfer(
        &mut self,
        need: &alice_config::Need,
        rules: &alice_core::Rules,
    ) -> Result<alice_core::Transfer, Vec<alice_config::Unmet>> {
        self.0.push(need.clone());
        Ok(alice_core::Transfer::Standard(alice_core::StandardTransfer::any_other(rules.boards)))
    }

    fn movement(
        &mut self,
        need: &alice_config::Need,
        rules: &alice_core::Rules,
    ) -> Result<alice_core::Movement, Vec<alice_config::Unmet>> {
        self.0.push(need.clone());
        Ok(rules.men[0].movement.clone())
    }
}

#[test]
fn a_config_says_what_it_needs_of_plugins_and_is_checked_without_them() {
    let text = "extends = \"alice\"\n[about]\ntitle = \"T\"\nsource = \"S\"\n\
        [transfer.plugin]\nid = \"seesaw\"\nversion = \"1\"\nrule = \"tip\"\n\
        [transfer.plugin.params]\ntip = 3\nshy = true\ncells = [\"e4\", \"d5\"]\n\
        [zero-moves]\nleave-check = true\n\
        [men.rose]\nletter = \"S\"\nmovement = { plugin = { id = \"rose\", version = \"1.0.0\" } }\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, text).unwrap();

    let need =
        |key: &str, id: &str, version: &str, rule: Option<&str>, parameters: &str| alice_config::Need {
            key: key.into(),
            id: id.into(),
            version: version.into(),
            rule: rule.map(String::from),
            parameters: parameters.into(),
        };
    let expected = [
        need("men.rose.movement", "rose", "1.0.0", None, ""),
        need("transfer", "seesaw", "1", Some("tip"), "tip=3\nshy=true\ncells=e4\ncells=d5"),
    ];
    let outline = alice_config::check_file(&path).unwrap();
    assert_eq!((outline.name.as_str(), outline.needs.as_slice()), ("mine", &expected[..]));
    let mut asked = Asked::default();
    let config = alice_config::load_file_with(&path, &mut asked).unwrap();
    assert_eq!((asked.0.as_slice(), config.needs.as_slice()), (&expected[..], &expected[..]));
    assert!(!config.variant.rules().tests.before_zero_move);
    // Whoever loads no code gets no game.
    assert!(alice_config::load_file(&path).is_err());
}

/// Finds the same fault with every parameter.
struct Unmeeting(usize);

impl alice_config::Plugins for Unmeeting {
    fn transfer(
        &mut self,
        _: &alice_config::Need,
        _: &alice_core::Rules,
    ) -> Result<alice_core::Transfer, Vec<alice_config::Unmet>> {
        let (problem, advice) = ("too far".into(), "come nearer".into());
        Err(vec![alice_config::Unmet { parameter: Some(self.0), problem, advice }])
    }

    fn movement(
        &mut self,
        _: &alice_config::Need,
        _: &alice_core::Rules,
    ) -> Result<alice_core::Movement, Vec<alice_config::Unmet>> {
        unreachable!("no movement is asked for")
    }
}

#[test]
fn what_a_plugin_has_against_a_parameter_points_to_its_place() {
    let text = "extends = \"alice\"\n[about]\ntitle = \"T\"\nsource = \"S\"\n[transfer.plugin]\n\
        id = \"x\"\nversion = \"1\"\nparams = { tip = 3, cells = [\"e4\", \"d5\"] }\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, text).unwrap();
    let place = |parameter| {
        let error = alice_config::load_file_with(&path, &mut Unmeeting(parameter)).unwrap_err();
        error.problems()[0].place.unwrap()
    };
    assert_eq!([0, 1, 2].map(place), [(8, 18), (8, 30), (8, 36)]);
    // There is no such parameter: the table is to blame.
    assert_eq!(place(3).0, 5);
}
