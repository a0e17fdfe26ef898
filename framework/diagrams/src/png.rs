//! A diagram as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Larger pictures are refused: so many pixels, 256 MB.
const MOST_PIXELS: u64 = 1 << 26;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PngError {
    /// It would be too large.
    #[error("a picture of {width} by {height} pixels is too large; choose a smaller size of cells")]
    TooLarge {
        /// How wide.
        width: u32,
        /// How high.
        height: u32,
    },
    /// The renderer can't do it: a fault of the diagram.
    #[error("the diagram can't be rendered: {0}")]
    Renderer(String),
}

/// Renders an SVG as PNG, in the size that it says.
///
/// # Errors
/// If it is no SVG, or too large.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let fault = |error: String| PngError::Renderer(error);
    let tree = Tree::from_str(svg, &Options::default()).map_err(|e| fault(e.to_string()))?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(PngError::TooLarge { width, height });
    }
    let mut picture = Pixmap::new(width, height).ok_or(PngError::TooLarge { width, height })?;
    resvg::render(&tree, Transform::identity(), &mut picture.as_mut());
    picture.encode_png().map_err(|e| fault(e.to_string()))
}
