//! Diagrams of positions: all boards side by side, levels too, men drawn by us, the last move and its
//! transfer marked. As SVG, and as PNG by a renderer; neither needs a font.
//!
//! Must not know rules, only who stands where; nor files.

mod drawing;
mod letters;
mod men;
mod png;
mod theme;

pub use drawing::{Diagram, Layout, Look, Refused};
pub use png::{PngError, png};
