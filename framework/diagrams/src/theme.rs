//! Colours. Light and dark cells, men and marks differ in lightness, and marks in shape too, so that
//! nobody needs to tell hues apart.

/// The colours of a side's men.
pub struct Ink {
    /// Around the outline.
    pub halo: &'static str,
    /// Inside.
    pub fill: &'static str,
    /// The outline.
    pub edge: &'static str,
    /// Lines inside.
    pub seam: &'static str,
}

/// The colours of a diagram.
pub struct Theme {
    pub page: &'static str,
    pub text: &'static str,
    pub frame: &'static str,
    pub light: &'static str,
    pub dark: &'static str,
    /// The ground of the squares of the last move.
    pub moved: &'static str,
    /// Arrows and rings.
    pub mark: &'static str,
    /// The ring around a king in check.
    pub check: &'static str,
    pub white: Ink,
    pub black: Ink,
}

pub const LIGHT: Theme = Theme {
    page: "#ffffff",
    text: "#33383f",
    frame: "#33383f",
    light: "#f1ede4",
    dark: "#a9b8c4",
    moved: "#f0c948",
    mark: "#00538a",
    check: "#c1440e",
    white: Ink { halo: "none", fill: "#ffffff", edge: "#1d2126", seam: "#1d2126" },
    black: Ink { halo: "none", fill: "#2b3036", edge: "#15181c", seam: "#f4f4f2" },
};

pub const DARK: Theme = Theme {
    page: "#1b1e23",
    text: "#d9dce1",
    frame: "#0f1114",
    light: "#98a3af",
    dark: "#67727f",
    moved: "#c9a227",
    mark: "#9fd6ff",
    check: "#ffab85",
    white: Ink { halo: "none", fill: "#ffffff", edge: "#14161a", seam: "#14161a" },
    black: Ink { halo: "none", fill: "#17191d", edge: "#0a0b0d", seam: "#e8e8e6" },
};
