//! How far the outlines of displays and boards that enrolment finds lie from the truth: `outlines FOLDER...`, made copies with their
//! enrolment photographs and the truth beside each. Prints the farthest corner of each, in millimetres.

use std::{error::Error, fs, path::Path};

use sightline::{
    capture::still,
    copy::{BOARD, Owner},
    vision::{Enroller, models_folder},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut enroller = Enroller::open(&models_folder(), 2)?;
    for folder in std::env::args().skip(1) {
        let folder = Path::new(&folder);
        let (owner, _) = Owner::parse(&fs::read_to_string(folder.join("owner.json"))?)?;
        let mut truths: Vec<_> = fs::read_dir(folder.join("enrol"))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "json"))
            .collect();
        truths.sort();
        for path in truths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let surface = match name.strip_prefix("display_") {
                Some(rest) => rest.rsplit('_').next().unwrap_or(rest),
                None if name == BOARD => BOARD,
                None => continue,
            };
            let measured = owner
                .measured(surface)
                .ok_or(format!("{surface}: not measured"))?;
            let truth: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
            let corners = truth["plates"][0]["corners_px"].clone();
            let corners: [[f64; 2]; 4] = serde_json::from_value(corners)?;
            let (picture, _) = still::load(&path.with_extension("jpg"))?;
            let found = enroller.surface(&picture, &measured, None)?;
            let told = found.map_or("nothing".to_owned(), |found| {
                let per_mm =
                    (found.corners.area() / measured.size_mm.iter().product::<f64>()).sqrt();
                // which corner is the first means nothing here
                let turned = (0..4).map(|turn| {
                    let each = (0..4).map(|i| {
                        let ([x, y], p) = (corners[(i + turn) % 4], found.corners.0[i]);
                        (p.x - x).hypot(p.y - y) / per_mm
                    });
                    each.fold(0.0, f64::max)
                });
                let off = turned.fold(f64::MAX, f64::min);
                format!("{off:.2} mm {:?}", found.flaws)
            });
            println!("{} {name} {told}", folder.display());
        }
    }
    Ok(())
}
