//! Dice whose place looks as it did when they were last seen there: nobody has touched them, whether they are found in a frame or not. And those whose
//! place looks otherwise in each frame: a hand moves there.

use std::collections::BTreeMap;

use crate::{
    capture::Picture,
    copy::Status,
    geometry::Quad,
    table::{Look, Table},
    vision::{Patch, VisionError},
};

/// What one camera last saw of a die that lies still.
struct Seen {
    face: Quad,
    look: Patch,
    /// How its place looked in the last frame.
    last: Option<Patch>,
}

/// What one camera last saw of dice that lie still, by their numbers.
#[derive(Default)]
pub(super) struct Untouched(BTreeMap<u64, Seen>);

impl Untouched {
    /// Tells a look which of them look in its frame as they did when they were last seen, and about which something moves: where they lay, pixels by the
    /// same light, but for noise.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn tell(&mut self, picture: &Picture, look: &mut Look) -> Result<(), VisionError> {
        for (id, seen) in &mut self.0 {
            let now = Patch::in_picture(picture, &seen.face)?;
            if now.is(&seen.look) {
                look.untouched.push(*id);
            } else if seen.last.as_ref().is_some_and(|last| !now.is(last)) {
                look.astir.push(*id);
            }
            seen.last = Some(now);
        }
        Ok(())
    }

    /// Takes what the table holds after a look: how those look that were seen in its frame, and none that is gone. Of those that were not seen it keeps
    /// how they looked, for a hand before them goes again.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn renew(
        &mut self,
        picture: &Picture,
        look: &Look,
        table: &Table,
    ) -> Result<(), VisionError> {
        self.0
            .retain(|id, _| table.dice.iter().any(|d| d.id == *id));
        for die in table.dice.iter().filter(|d| d.camera == look.camera) {
            let seen = die.frame == look.frame && die.status() != Status::Hidden;
            match (seen, die.settled) {
                (true, true) => {
                    let now = Patch::in_picture(picture, &die.polygon)?;
                    let seen = Seen {
                        face: die.polygon,
                        last: Some(now.clone()),
                        look: now,
                    };
                    self.0.insert(die.id, seen);
                }
                // it rolls, or somebody moves it; what was only out of sight is not known to lie still at first
                (true, false) if !look.untouched.contains(&die.id) => {
                    self.0.remove(&die.id);
                }
                _ => {}
            }
        }
        Ok(())
    }
}
