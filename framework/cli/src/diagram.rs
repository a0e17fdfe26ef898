//! `alice diagram`: a position as a picture.

use crate::arguments;
use crate::code::Code;
use crate::failure::Failure;
use crate::files::write_whole;
use crate::game::Game;
use alice_core::Man;
use alice_diagrams::{Diagram, Layout, Look, PngError, Refused, png};
use std::io::Write;

/// `alice diagram`.
pub fn diagram(arguments: &arguments::Diagram, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let refuse = |problem: String| Failure::BadInput(format!("error: {problem}"));
    let ending = arguments.output.as_ref().map(|path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        (path, ending.unwrap_or_default().to_ascii_lowercase())
    });
    let as_png = match &ending {
        None => false,
        Some((_, ending)) if ending == "svg" => false,
        Some((_, ending)) if ending == "png" => true,
        Some((path, _)) => {
            let shown = path.display();
            return Err(refuse(format!("{shown} is neither .svg nor .png; name the file so")));
        }
    };
    let game = Game::new(&arguments.place.variant, &arguments.place.from, code)?;
    let position = game.position();
    let (rules, setup) = (position.rules(), position.setup());
    let king = rules.royal().and_then(|kind| setup.find(Man { kind, colour: setup.turn }).next());
    let diagram = Diagram {
        rules,
        setup: &setup,
        last: game.record.moves().last(),
        check: king.filter(|_| position.in_check()),
    };
    game.sound()?;
    let layout = match (arguments.one_board, arguments.split) {
        (true, _) => Layout::OneBoard,
        (_, true) => Layout::Split,
        _ => Layout::Boards,
    };
    let look = Look {
        size: arguments.size,
        dark: arguments.dark,
        flip: arguments.flip,
        layout,
        letters: game.letters.language(),
    };
    let svg = diagram.svg(look).map_err(|Refused::NotTwoFlatBoards| {
        let name = &game.config.name;
        refuse(format!(
            "{name} is not played on two flat boards: they can't be drawn as one; leave the option out"
        ))
    })?;
    let Some((path, _)) = ending else { return Ok(write!(out, "{svg}")?) };
    let bytes = match as_png {
        false => svg.into_bytes(),
        true => png(&svg).map_err(|error| match error {
            PngError::TooLarge { .. } => refuse(error.to_string()),
            PngError::Renderer(_) => Failure::Internal(error.to_string()),
        })?,
    };
    write_whole(path, &bytes).map_err(refuse)
}
