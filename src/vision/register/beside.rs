//! A search on a thread of its own: a live line looks at its newest frame meanwhile.

use std::{
    io,
    sync::{Arc, mpsc},
    thread,
};

use super::{Search, Seek, Step};
use crate::vision::eye::VisionError;

/// A search under way. It ends with its picture, or when this is dropped.
pub(in crate::vision) struct Beside {
    steps: mpsc::Receiver<Result<Step, VisionError>>,
}

impl Beside {
    /// Sends the search on its way.
    ///
    /// # Errors
    /// The machine has no thread left; the search is lost.
    pub fn begin(mut search: Search, seeks: Arc<Vec<Seek>>) -> io::Result<Self> {
        // a found surface waits until somebody asks, and so does the search
        let (tell, steps) = mpsc::sync_channel(1);
        thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || {
                loop {
                    let step = search.step(&seeks);
                    let over = !matches!(step, Ok(Step::Found(..) | Step::Nothing));
                    // what found nothing is told to nobody
                    let told = matches!(step, Ok(Step::Nothing)) || tell.send(step).is_ok();
                    if over || !told {
                        return;
                    }
                }
            })?;
        Ok(Self { steps })
    }

    /// What the search has come to since last asked; `None` while it goes on.
    pub fn step(&self) -> Option<Result<Step, VisionError>> {
        match self.steps.try_recv() {
            Ok(step) => Some(step),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => Some(Ok(Step::Over)),
        }
    }
}
