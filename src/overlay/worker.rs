//! Sees in a thread of its own, so that the window never waits.

use std::{
    io,
    sync::{Arc, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use eframe::egui;

use super::{Hearer, Opener, Shared, Shown};
use crate::{
    capture::SourceEvent,
    session::{Player, Step},
};

pub(super) fn start(
    mut player: Player,
    open: Opener,
    hear: Hearer,
    chosen: mpsc::Receiver<String>,
    shared: Shared,
    ctx: egui::Context,
) -> io::Result<()> {
    thread::Builder::new()
        .name("seeing".to_owned())
        .spawn(move || {
            let tell = |change: &dyn Fn(&mut Shown)| {
                change(&mut shared.lock().unwrap_or_else(PoisonError::into_inner));
                ctx.request_repaint();
            };
            let mut began = Instant::now();
            let mut over = false;
            loop {
                let choice = if over {
                    match chosen.recv() {
                        Ok(key) => Some(key),
                        Err(_) => return,
                    }
                } else {
                    match chosen.try_recv() {
                        Ok(key) => Some(key),
                        Err(mpsc::TryRecvError::Empty) => None,
                        Err(mpsc::TryRecvError::Disconnected) => return,
                    }
                };
                if let Some(key) = choice {
                    match open(&key) {
                        Ok(source) => {
                            player.change_source(source);
                            began = Instant::now();
                            over = false;
                            tell(&|s| *s = Shown::default());
                        }
                        Err(e) => tell(&|s| s.notice = Some(e.to_string())),
                    }
                    continue;
                }
                match player.step() {
                    Ok(Step::View(view)) => {
                        if view.age.is_none() {
                            // a recording is shown at its own pace
                            let due = began + view.at;
                            thread::sleep(
                                due.saturating_duration_since(Instant::now())
                                    .min(Duration::from_secs(2)),
                            );
                        }
                        hear(&view);
                        let view = Arc::new(*view);
                        tell(&|s| {
                            s.view = Some(Arc::clone(&view));
                            let now = Instant::now();
                            s.times.push_back(now);
                            while s
                                .times
                                .front()
                                .is_some_and(|t| now.duration_since(*t) > Duration::from_secs(2))
                            {
                                s.times.pop_front();
                            }
                        });
                    }
                    Ok(Step::Source(event)) => {
                        let notice = match event {
                            SourceEvent::Opened(_) => None,
                            SourceEvent::Lost { why } => {
                                Some(format!("The camera is gone ({why}); plug it in again."))
                            }
                            SourceEvent::Stalled { silent } => Some(format!(
                                "No picture from the camera for {:.1} s.",
                                silent.as_secs_f64()
                            )),
                        };
                        let gone = notice.is_some();
                        tell(&|s| {
                            s.notice = notice.clone();
                            // what was called may no longer be so
                            if gone && let Some(view) = &s.view {
                                let mut empty = (**view).clone();
                                empty.dice.clear();
                                empty.placings.clear();
                                empty.surfaces.clear();
                                empty.judged = Default::default();
                                s.view = Some(Arc::new(empty));
                            }
                        });
                    }
                    Ok(Step::Skipped(e)) => tell(&|s| s.notice = Some(e.to_string())),
                    Ok(Step::Pending) => {}
                    Ok(Step::End) => {
                        over = true;
                        tell(&|s| s.over = true);
                    }
                    Err(e) => {
                        over = true;
                        tell(&|s| s.notice = Some(e.to_string()));
                    }
                }
            }
        })?;
    Ok(())
}
