//! Several sources as one: each thing comes with the camera that it is of.
//!
//! Live cameras read in threads of their own ([`super::live`]); here they are asked in turn, so that a quick one
//! takes nothing from a slow one. Recordings are taken to have begun together and come in order of time.

use std::{
    thread,
    time::{Duration, Instant},
};

use super::{CameraId, CaptureError, Frame, Next, Source};

/// How long [`Source::next`] waits for any of several live cameras, and between two rounds of asking.
const WAIT: Duration = Duration::from_millis(250);
const ROUND: Duration = Duration::from_millis(4);

/// More than one source.
pub struct Several {
    all: Vec<One>,
    /// Where the clock of live cameras begins.
    started: Instant,
    /// Whose turn it is, and whose the newest thing was.
    turn: usize,
    last: usize,
    live: bool,
}

struct One {
    source: Box<dyn Source>,
    camera: CameraId,
    /// The next frame of a recording.
    waiting: Option<Frame>,
    over: bool,
}

impl Several {
    /// Each source with what its camera is called, in place of its own name; `None` where there are none, or where some are
    /// recordings and some are not.
    pub fn new(all: Vec<(Box<dyn Source>, Option<String>)>) -> Option<Self> {
        let live = all.first()?.0.is_live();
        let alike = all.iter().all(|(s, _)| s.is_live() == live);
        let all = all.into_iter().map(|(source, called)| One {
            camera: called.map_or_else(|| source.camera().clone(), CameraId),
            source,
            waiting: None,
            over: false,
        });
        alike.then(|| Self {
            all: all.collect(),
            started: Instant::now(),
            turn: 0,
            last: 0,
            live,
        })
    }

    /// What the next camera in turn has, without waiting.
    fn ask_live(&mut self) -> Result<Option<Next>, CaptureError> {
        for _ in 0..self.all.len() {
            let which = self.turn % self.all.len().max(1);
            self.turn = which + 1;
            let Some(one) = self.all.get_mut(which) else {
                return Ok(None);
            };
            let mut next = one.source.poll(Duration::ZERO)?;
            if matches!(next, Next::Pending) {
                continue;
            }
            if let Next::Frame(frame) = &mut next {
                // one clock for all
                if let Some(captured) = frame.captured {
                    frame.at = captured.saturating_duration_since(self.started);
                }
                frame.camera = one.camera.clone();
            }
            self.last = which;
            return Ok(Some(next));
        }
        Ok(None)
    }

    /// The earliest frame of all recordings; what else one has comes at once.
    fn next_recorded(&mut self) -> Result<Next, CaptureError> {
        for (which, one) in self.all.iter_mut().enumerate() {
            while one.waiting.is_none() && !one.over {
                match one.source.next()? {
                    Next::Frame(mut frame) => {
                        frame.camera = one.camera.clone();
                        one.waiting = Some(frame);
                    }
                    Next::End => one.over = true,
                    Next::Pending => {}
                    other => {
                        self.last = which;
                        return Ok(other);
                    }
                }
            }
        }
        let waiting = self.all.iter().enumerate();
        let waiting = waiting.filter_map(|(i, one)| Some((one.waiting.as_ref()?.at, i)));
        let Some((_, first)) = waiting.min() else {
            return Ok(Next::End);
        };
        self.last = first;
        let frame = self.all.get_mut(first).and_then(|one| one.waiting.take());
        Ok(frame.map_or(Next::End, Next::Frame))
    }
}

impl Source for Several {
    /// Whose the newest thing was.
    fn camera(&self) -> &CameraId {
        // there is at least one, and `last` is one of them
        &self.all[self.last].camera
    }

    fn is_live(&self) -> bool {
        self.live
    }

    fn next(&mut self) -> Result<Next, CaptureError> {
        self.poll(WAIT)
    }

    fn poll(&mut self, wait: Duration) -> Result<Next, CaptureError> {
        if !self.live {
            return self.next_recorded();
        }
        let until = Instant::now() + wait;
        loop {
            if let Some(next) = self.ask_live()? {
                return Ok(next);
            }
            if Instant::now() >= until {
                return Ok(Next::Pending);
            }
            thread::sleep(ROUND);
        }
    }

    fn rest(&mut self, resting: bool) {
        if let Some(one) = self.all.get_mut(self.last) {
            one.source.rest(resting);
        }
    }

    fn cameras(&self) -> usize {
        self.all.len()
    }

    fn take_notes(&mut self) -> Vec<String> {
        let mut notes = Vec::new();
        for one in &mut self.all {
            let of = &one.camera.0;
            notes.extend(one.source.take_notes().iter().map(|n| format!("{of}: {n}")));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Picture;

    /// Frames at these times; live ones only come when they are asked for the second time.
    struct Clip {
        camera: CameraId,
        times: Vec<u64>,
        live: bool,
        asked: bool,
        rests: std::sync::Arc<std::sync::atomic::AtomicBool>,
    }

    impl Source for Clip {
        fn camera(&self) -> &CameraId {
            &self.camera
        }

        fn is_live(&self) -> bool {
            self.live
        }

        fn next(&mut self) -> Result<Next, CaptureError> {
            self.asked = !self.asked;
            if self.live && self.asked {
                return Ok(Next::Pending);
            }
            if self.times.is_empty() {
                return Ok(if self.live { Next::Pending } else { Next::End });
            }
            Ok(Next::Frame(Frame {
                picture: Picture::from_rgb(1, 1, vec![0; 3]).expect("a picture"),
                at: Duration::from_millis(self.times.remove(0)),
                captured: self.live.then(Instant::now),
                sequence: 0,
                camera: self.camera.clone(),
                file: None,
            }))
        }

        fn rest(&mut self, resting: bool) {
            self.rests
                .store(resting, std::sync::atomic::Ordering::Relaxed);
        }
    }

    fn clip(name: &str, times: &[u64], live: bool) -> Box<dyn Source> {
        Box::new(Clip {
            camera: CameraId(name.to_owned()),
            times: times.to_vec(),
            live,
            asked: false,
            rests: std::sync::Arc::default(),
        })
    }

    fn all(mut of: Several) -> Vec<(String, u64)> {
        let mut out = Vec::new();
        loop {
            match of.next().expect("goes on") {
                Next::Frame(f) => {
                    assert_eq!(f.camera, *of.camera());
                    out.push((f.camera.0, f.at.as_millis() as u64));
                }
                Next::End | Next::Pending => return out,
                _ => {}
            }
        }
    }

    #[test]
    fn recordings_come_in_order_of_time_by_the_names_they_are_given() {
        let two = Several::new(vec![
            (
                clip("a.mp4", &[0, 100, 200], false),
                Some("left".to_owned()),
            ),
            (clip("b.mp4", &[50, 60, 200, 300], false), None),
        ]);
        let came = all(two.expect("alike"));
        let names: Vec<&str> = came.iter().map(|c| c.0.as_str()).collect();
        let times: Vec<u64> = came.iter().map(|c| c.1).collect();
        assert_eq!(times, [0, 50, 60, 100, 200, 200, 300]);
        assert_eq!(
            names,
            ["left", "b.mp4", "b.mp4", "left", "left", "b.mp4", "b.mp4"]
        );
    }

    #[test]
    fn live_cameras_take_turns_on_one_clock() {
        let two = Several::new(vec![
            (clip("a", &[9_000_000, 9_000_001], true), None),
            (clip("b", &[1, 2], true), None),
        ]);
        let came = all(two.expect("alike"));
        let names: Vec<&str> = came.iter().map(|c| c.0.as_str()).collect();
        assert_eq!(names, ["a", "b", "a", "b"]);
        // an hour of one camera is not an hour of the other
        assert!(came.iter().all(|c| c.1 < 60_000), "{came:?}");
    }

    #[test]
    fn only_the_camera_rests_whose_picture_rests() {
        let rests: [std::sync::Arc<std::sync::atomic::AtomicBool>; 2] = Default::default();
        let one = |name: &str, rests: &std::sync::Arc<std::sync::atomic::AtomicBool>| {
            let clip = Clip {
                camera: CameraId(name.to_owned()),
                times: vec![0],
                live: false,
                asked: false,
                rests: rests.clone(),
            };
            (Box::new(clip) as Box<dyn Source>, None)
        };
        let mut two = Several::new(vec![one("a", &rests[0]), one("b", &rests[1])]).expect("alike");
        two.next().expect("a frame");
        two.next().expect("a frame");
        assert_eq!(two.camera().0, "b");
        two.rest(true);
        let is = |i: usize| rests[i].load(std::sync::atomic::Ordering::Relaxed);
        assert!(!is(0) && is(1));
    }

    #[test]
    fn a_camera_and_a_recording_do_not_go_together() {
        assert!(
            Several::new(vec![
                (clip("a", &[], true), None),
                (clip("b", &[], false), None)
            ])
            .is_none()
        );
        assert!(Several::new(Vec::new()).is_none());
    }
}
