//! Sees in a thread of its own, so that the window never waits.

use std::{
    io,
    sync::{Arc, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use eframe::egui;

use super::{Hearer, Keeper, Opener, Sayer, Shared, Shown, Wish};
use crate::{
    capture::SourceEvent,
    rig::Marked,
    session::{Player, Step, View},
};

/// How often it is asked what was declared, once the recording is over.
const OVER: Duration = Duration::from_millis(200);
/// How much of what happened is shown.
const MOST_LOG: usize = 60;

/// The line, and whom it tells.
pub(super) struct Worker {
    pub player: Player,
    pub open: Opener,
    pub hear: Hearer,
    pub said: Sayer,
    pub keep: Keeper,
    pub shared: Shared,
    pub ctx: egui::Context,
}

impl Worker {
    /// Runs until the window is gone.
    pub fn start(mut self, wishes: mpsc::Receiver<Wish>) -> io::Result<()> {
        thread::Builder::new()
            .name("seeing".to_owned())
            .spawn(move || self.run(&wishes))?;
        Ok(())
    }

    fn tell(&self, change: impl Fn(&mut Shown)) {
        change(&mut self.shared.lock().unwrap_or_else(PoisonError::into_inner));
        self.ctx.request_repaint();
    }

    fn run(&mut self, wishes: &mpsc::Receiver<Wish>) {
        let mut began = Instant::now();
        let mut over = false;
        // since when a person has stopped the recording
        let mut paused: Option<Instant> = None;
        loop {
            let heard = (self.said)();
            heard.iter().for_each(|said| self.player.declare(said));
            let rests = over || paused.is_some();
            if rests && !heard.is_empty() {
                self.show_again();
            }
            let wish = if rests {
                match wishes.recv_timeout(OVER) {
                    Ok(wish) => Some(wish),
                    Err(mpsc::RecvTimeoutError::Timeout) => continue,
                    Err(mpsc::RecvTimeoutError::Disconnected) => return,
                }
            } else {
                match wishes.try_recv() {
                    Ok(wish) => Some(wish),
                    Err(mpsc::TryRecvError::Empty) => None,
                    Err(mpsc::TryRecvError::Disconnected) => return,
                }
            };
            match wish {
                Some(Wish::Source(key)) => match self.opened(key.as_deref()) {
                    Ok(player) => {
                        self.player = player;
                        began = Instant::now();
                        (over, paused) = (false, None);
                        self.tell(|s| *s = Shown::default());
                    }
                    Err(why) => self.tell(|s| {
                        s.notice = Some(why.clone());
                        s.over = over;
                    }),
                },
                Some(Wish::Pause(true)) => {
                    if !rests && !self.player.is_live() {
                        paused = Some(Instant::now());
                        self.tell(|s| s.paused = true);
                    }
                }
                Some(Wish::Pause(false)) => {
                    if let Some(since) = paused.take() {
                        began += since.elapsed();
                        self.tell(|s| s.paused = false);
                    }
                }
                Some(Wish::Corners(camera, what, corners)) => {
                    if let Err(why) = self.player.mark(&camera, &what, corners) {
                        self.tell(|s| s.notice = Some(why.clone()));
                        continue;
                    }
                    self.keep_rig(match &what {
                        Marked::Surface(id) => format!("The corners of {id}"),
                        Marked::Tray { .. } => "The corners of the tray".to_owned(),
                        Marked::Mask => "The corners of what is left out".to_owned(),
                    });
                }
                Some(Wish::Unmark(camera)) => {
                    self.player.unmark(&camera);
                    self.keep_rig("What is left of the rig's corners".to_owned());
                }
                Some(Wish::Declare(said)) => {
                    self.player.declare(&said);
                    if rests {
                        self.show_again();
                    }
                }
                Some(Wish::Fix(zone)) => {
                    let symbols = self.player.session().symbols_in(zone);
                    self.tell(|s| s.symbols = Some((zone, symbols.clone())));
                }
                None => over = !self.step(began),
            }
        }
    }

    fn opened(&self, key: Option<&str>) -> Result<Player, String> {
        (self.open)(key, self.player.session().rig())
    }

    /// What was declared once the recording is over.
    fn show_again(&mut self) {
        if let Some(view) = self.player.again() {
            (self.hear)(&view);
            let view = Arc::new(view);
            self.tell(|s| show(s, &view));
        }
    }

    /// Keeps the rig after a person has changed it; `what` are known now.
    fn keep_rig(&mut self, what: String) {
        let (kept, notice) = match (self.keep)(self.player.session().rig()) {
            Ok(Some(file)) => (
                Some(format!("{what} are kept in {}.", file.display())),
                None,
            ),
            Ok(None) => {
                let until =
                    "known until the window is closed; started with --rig FILE, they are kept";
                (Some(format!("{what} are {until}.")), None)
            }
            Err(e) => (None, Some(e.to_string())),
        };
        self.tell(|s| {
            s.kept.clone_from(&kept);
            // what a camera says stays said
            if notice.is_some() {
                s.notice.clone_from(&notice);
            }
        });
    }

    /// One step of the line; whether there may be another.
    fn step(&mut self, began: Instant) -> bool {
        match self.player.step() {
            Ok(Step::View(view)) => {
                if view.age.is_none() {
                    // a recording is shown at its own pace
                    let due = began + view.at;
                    thread::sleep(
                        due.saturating_duration_since(Instant::now())
                            .min(Duration::from_secs(2)),
                    );
                }
                (self.hear)(&view);
                let view = Arc::new(*view);
                self.tell(|s| {
                    show(s, &view);
                    let now = Instant::now();
                    s.times.push_back(now);
                    let old = |t: &Instant| now.duration_since(*t) > Duration::from_secs(2);
                    while s.times.front().is_some_and(old) {
                        s.times.pop_front();
                    }
                });
            }
            Ok(Step::Source(event)) => {
                let camera = self
                    .player
                    .several()
                    .then(|| self.player.camera().0.clone());
                self.tell_of(&event, camera);
            }
            Ok(Step::Skipped(e)) => self.tell(|s| s.notice = Some(e.to_string())),
            Ok(Step::Pending) => {}
            Ok(Step::End) => {
                self.tell(|s| s.over = true);
                return false;
            }
            Err(e) => {
                self.tell(|s| {
                    s.notice = Some(e.to_string());
                    s.over = true;
                });
                return false;
            }
        }
        true
    }

    /// What happened to a camera; its name where there are several.
    fn tell_of(&self, event: &SourceEvent, camera: Option<String>) {
        let notice = match event {
            SourceEvent::Opened(_) => None,
            SourceEvent::Lost { why } => {
                Some(format!("The camera is gone ({why}); plug it in again."))
            }
            SourceEvent::Stalled { silent, why } => Some(format!(
                "No picture from the camera for {:.1} s{}.",
                silent.as_secs_f64(),
                why.as_ref().map(|w| format!(": {w}")).unwrap_or_default()
            )),
        };
        let of = camera
            .as_ref()
            .map_or_else(String::new, |c| format!("{c}: "));
        let notice = notice.map(|n| format!("{of}{n}"));
        self.tell(|s| {
            // that one camera is back says nothing of another
            let others = s.notice.as_ref().is_some_and(|n| !n.starts_with(&of));
            if notice.is_some() || !others {
                s.notice.clone_from(&notice);
            }
        });
    }
}

/// Shows a view, and what happened in it.
fn show(shown: &mut Shown, view: &Arc<View>) {
    let told = view.happenings.iter();
    let told = told.map(|h| format!("{:.1} s  {}", h.at_s, h.text));
    shown.log.extend(told);
    while shown.log.len() > MOST_LOG {
        shown.log.pop_front();
    }
    shown.view = Some(Arc::clone(view));
    shown.of_each.insert(view.camera.clone(), Arc::clone(view));
}
