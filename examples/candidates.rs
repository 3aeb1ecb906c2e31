//! What may be a die in pictures, with all that its chances are made of, for fitting those: `candidates COPY PICTURE...`, one picture a line.

use std::{error::Error, path::Path};

use sightline::{
    capture::still,
    copy,
    vision::{Effort, Eye, models_folder},
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, pictures @ ..] = &arguments[..] else {
        return Err("usage: candidates COPY PICTURE...".into());
    };
    let mut eye = Eye::open(&models_folder(), &copy::load(Path::new(folder))?, 2)?;
    for path in pictures {
        let (picture, _) = still::load(Path::new(path))?;
        let found = eye.candidates(&picture, Effort::Still)?;
        let dice: Vec<_> = found
            .iter()
            .map(|s| {
                serde_json::json!({
                    "shape": s.shape.name(),
                    "kind": s.reading.kind,
                    "face": s.reading.face,
                    "score": s.score,
                    "likeness": s.reading.likeness,
                    "confidence": s.reading.confidence,
                    "polygon": s.shape.outline(&s.polygon).iter().map(|p| [p.x, p.y]).collect::<Vec<_>>(),
                })
            })
            .collect();
        println!("{}", serde_json::json!({ "image": path, "dice": dice }));
    }
    Ok(())
}
