//! Whole games of random but legal play, to their end, with what must always hold checked on the
//! way: above all that what is announced for sure is what then happens.
//!
//! The long form: `cargo test --release --no-default-features --test rules diceland::play -- --ignored`

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::support::*;
use sightline::rules::diceland::*;
use sightline::rules::{Place, Span, Verdict};

const WIDE: f64 = 1100.0;
const DEEP: f64 = 700.0;

/// A game that is being played by chance.
struct Match {
    position: Position,
    rng: Rng,
    turns: u32,
    /// Calls that were held against what playing them does.
    tried: u64,
    /// How often; a step in so many.
    every: u32,
}

fn start(seed: u64) -> Match {
    let mut rng = Rng(seed);
    let armies = Print::sample_armies();
    let army = |rng: &mut Rng| rng.pick(armies).unwrap().dice.clone();
    let both = ByPlayer {
        one: army(&mut rng),
        two: army(&mut rng),
    };
    let mut print = Print::default();
    // In half of the games the reckoned place of a die that was rolled is as good as a seen one;
    // in the others it is not, and now and then the camera sees it again.
    print.options.roll_error_mm = if (seed / 2).is_multiple_of(2) {
        0.0
    } else {
        0.7
    };
    print.options.error_mm = if seed.is_multiple_of(3) { 0.5 } else { 0.1 };
    let mut table = TableSetup {
        edge_mm: vec![[0.0, 0.0], [WIDE, 0.0], [WIDE, DEEP], [0.0, DEEP]],
        things: Vec::new(),
        error_mm: None,
    };
    if seed.is_multiple_of(2) {
        table.things.push(ThingSetup {
            name: "a box".into(),
            outline_mm: vec![
                [300.0, 150.0],
                [380.0, 150.0],
                [380.0, 230.0],
                [300.0, 230.0],
            ],
        });
    }
    let (position, problems) = Setup::start(&both, table).resolve(&print);
    let bad: Vec<_> = problems
        .iter()
        .filter(|p| !matches!(p.at, Zone::Kind(_)))
        .collect();
    assert!(bad.is_empty(), "{bad:?}");
    Match {
        position,
        rng,
        turns: 0,
        tried: 0,
        every: 6,
    }
}

impl Match {
    /// Who wins, or nobody: where no die can do anything any more, both pass for ever, and the
    /// rule text knows no way out.
    fn play_to_the_end(&mut self) -> Option<Player> {
        for step in 0..20_000 {
            if let Some(winner) = self.position.winner() {
                let Stage::Over(said) = self.position.flow().stage else {
                    panic!("somebody has won and the game goes on");
                };
                assert_eq!(winner, said);
                assert!(self.position.legal_actions().is_empty());
                assert!(self.position.legal_throws().is_empty());
                return Some(winner);
            }
            if self.position.flow().passes > 8 && self.is_stuck() {
                return None;
            }
            self.step(step);
        }
        panic!("no end in sight:\n{}", self.position);
    }

    /// Whether nobody can do anything for good. What is too close to call is then ruled on.
    fn is_stuck(&mut self) -> bool {
        assert_eq!(self.position.legal_actions(), [Action::Pass]);
        assert!(self.position.legal_throws().is_empty());
        if self.rule_on_something() {
            return false;
        }
        // Nothing will come back, and of what lies there nothing may do anything.
        for die in self.position.dice() {
            assert!(die.is_in_play(), "{} could still be thrown", die.id());
        }
        for call in self.position.calls() {
            let idle = matches!(
                call.what,
                What::See { .. } | What::Army { .. } | What::Pass { .. }
            );
            // Fire after a roll that is ruled out is not announced at all.
            assert!(idle || call.verdict == Verdict::Cannot, "stuck, but {call}");
        }
        true
    }

    fn step(&mut self, step: u32) {
        let action = self.choose();
        let before = self.position.clone();
        let change = match self.position.act(&action) {
            Ok(change) => change,
            Err(because) => {
                assert_eq!(
                    self.position, before,
                    "{action}: refused, and not unchanged"
                );
                // A landing that does not fit is thrown elsewhere; all else comes from the list.
                let fits = matches!(action, Action::Throw { .. } | Action::GoFirst { .. });
                assert!(fits || matches!(action, Action::Open { .. }), "{because}");
                return;
            }
        };
        self.watch(&before, &action);
        if step.is_multiple_of(5) {
            let mut back = self.position.clone();
            back.replay(&change.inverse()).unwrap();
            assert_eq!(back, before, "{action} and its inverse");
        }
        if step.is_multiple_of(23) {
            let state = State::of(&self.position);
            let (again, problems) = state.setup.resolve(&state.print);
            let hard: Vec<_> = problems
                .iter()
                .filter(|p| !matches!(p.at, Zone::Kind(_)))
                .filter(|p| !matches!(p.fault, Fault::PerhapsOverEdge { .. }))
                .collect();
            assert!(hard.is_empty(), "{hard:?} after {action}");
            assert_eq!(again, self.position, "JSON's way and back, after {action}");
        }
        self.look_again();
        if step.is_multiple_of(self.every) {
            self.calls_hold();
            // What is too close to call is what players settle by eye.
            if self.rng.one_in(2) {
                self.rule_on_something();
            }
        }
    }

    /// The camera sees a die again that was rolled: where it was reckoned to be, and better.
    fn look_again(&mut self) {
        let known = self.position.print().options.error_mm;
        let worse = |d: &&Die| {
            let error = d.stand().map(|s| s.error);
            matches!(error, Some(PoseError::CornerMm(e)) if e > known)
        };
        let Some(die) = self.position.dice().iter().find(worse) else {
            return;
        };
        if self.rng.one_in(3) {
            let seen = DieSetup {
                error: None,
                ..die.to_setup()
            };
            let told = Action::Correct(Correction::Die(Box::new(seen)));
            let mut tried = self.position.clone();
            tried.act(&told).unwrap();
            // A roll is reckoned to end within its error, where it may be a hair inside a neighbour: a camera
            // would see the die beside it, and that it lies in it is not what is tried here.
            let placed = |p: &Position| {
                p.dice()
                    .iter()
                    .all(|d| !d.is_in_play() || d.stand().is_some())
            };
            if placed(&tried) {
                self.position.act(&told).unwrap();
            }
        }
    }

    /// Some action: now and then from the whole list, else one made up, which may be refused.
    fn choose(&mut self) -> Action {
        let flow = self.position.flow().clone();
        match flow.stage {
            Stage::Choosing => {
                let both = Player::BOTH;
                let pick = |rng: &mut Rng| both[rng.below(2)];
                let (by, first) = (pick(&mut self.rng), pick(&mut self.rng));
                return Action::GoFirst { by, first };
            }
            Stage::Opening(player) => {
                let hand: Vec<DieId> = self.position.dice_of(player).map(Die::id).collect();
                let die = *self.rng.pick(&hand).unwrap();
                let centre = self.position.centre_mm().unwrap();
                let spot = self.landing(die, Some(centre));
                return Action::Open { die, spot };
            }
            _ => {}
        }
        let throws = self.position.legal_throws();
        let throw_now = match flow.waiting.last() {
            None => self.rng.one_in(3),
            Some(Waiting::Calling { .. }) => !self.rng.one_in(8),
            Some(_) => self.rng.one_in(4),
        };
        if throw_now && !throws.is_empty() {
            let throw = *self.rng.pick(&throws).unwrap();
            return self.throw(throw);
        }
        let legal = self.position.legal_actions();
        // Shots make a game; waiving and passing are rare.
        let rare = |a: &Action| matches!(a, Action::Waive | Action::Pass | Action::Foul { .. });
        let shots: Vec<Action> = legal
            .iter()
            .filter(|a| {
                matches!(
                    a,
                    Action::Fire { .. } | Action::Command { .. } | Action::Call { .. }
                )
            })
            .cloned()
            .collect();
        if !shots.is_empty() && !self.rng.one_in(4) {
            return self.rng.pick(&shots).unwrap().clone();
        }
        let common: Vec<Action> = legal.iter().filter(|a| !rare(a)).cloned().collect();
        if !common.is_empty() && !self.rng.one_in(10) {
            return self.rng.pick(&common).unwrap().clone();
        }
        if !throws.is_empty() && self.rng.one_in(2) {
            let throw = *self.rng.pick(&throws).unwrap();
            return self.throw(throw);
        }
        match self.rng.pick(&legal) {
            Some(action) => action.clone(),
            None => {
                let throw = *self
                    .rng
                    .pick(&throws)
                    .expect("somebody can always do something");
                self.throw(throw)
            }
        }
    }

    fn throw(&mut self, throw: Throw) -> Action {
        let flies = throw.flies();
        let lands = (!self.rng.one_in(25)).then(|| self.landing(flies, None));
        let mut knocks = Vec::new();
        let in_play: Vec<DieId> = self
            .position
            .dice()
            .iter()
            .filter(|d| d.is_in_play() && d.id() != flies)
            .map(Die::id)
            .collect();
        for die in in_play {
            if self.rng.one_in(14) {
                let lands = (!self.rng.one_in(3)).then(|| self.landing(die, None));
                knocks.push(Knock { die, lands });
            }
        }
        Action::Throw {
            throw,
            lands,
            knocks,
        }
    }

    fn landing(&mut self, die: DieId, at: Option<[f64; 2]>) -> Landing {
        let kind = *self.position.die(die).unwrap().kind().known().unwrap();
        let kind = self.position.print().kind(kind).unwrap();
        let face = kind.faces[self.rng.below(8)].id;
        let at_mm = at.unwrap_or_else(|| {
            [
                self.rng.between(-20.0, WIDE + 20.0),
                self.rng.between(-20.0, DEEP + 20.0),
            ]
        });
        Landing {
            face,
            at_mm,
            heading_deg: self.rng.between(0.0, 360.0),
            error: None,
        }
    }

    /// Players say how something that is too close to call comes out; says whether there was
    /// anything.
    fn rule_on_something(&mut self) -> bool {
        let mut open: Vec<Ruling> = Vec::new();
        let say = self.rng.one_in(2);
        for call in self.position.calls() {
            let (die, target) = match call.what {
                What::See { die, target } => (die, Some(target)),
                // A place that nobody has seen yet is not ruled on.
                What::Fire { after: Some(_), .. } => continue,
                What::Fire { die, target, .. }
                | What::Command { die, target }
                | What::Remove { die, target }
                | What::JumpAlly { die, target } => (die, Some(target)),
                What::Manoeuvre { die, corner } if call.verdict == Verdict::Unsure => {
                    let free = say;
                    open.push(Ruling::Room { die, corner, free });
                    continue;
                }
                _ => continue,
            };
            let Some(target) = target else { continue };
            if call.unsure_on.is_empty() {
                continue;
            }
            open.extend(call.because.iter().filter_map(|why| match why.0 {
                Reason::OnTheLine { arrow, .. } => Some(Ruling::Sees {
                    die,
                    arrow,
                    target,
                    sees: say,
                }),
                Reason::EquallyClose { other, .. } => Some(Ruling::Nearer {
                    to: die,
                    near: if say { target } else { other },
                    far: if say { other } else { target },
                }),
                Reason::PinnedUnsure { corner } => Some(Ruling::Room {
                    die: target,
                    corner,
                    free: say,
                }),
                _ => None,
            }));
        }
        let Some(ruling) = self.rng.pick(&open).copied() else {
            return false;
        };
        let before = self.position.clone();
        let change = self.position.act(&Action::Rule(ruling)).unwrap();
        let mut back = self.position.clone();
        back.replay(&change.inverse()).unwrap();
        assert_eq!(back, before);
        true
    }

    /// What must hold from one position to the next.
    fn watch(&mut self, before: &Position, action: &Action) {
        let after = &self.position;
        let turn = |p: &Position| match p.flow().stage {
            Stage::Turn(player) => Some(player),
            _ => None,
        };
        if turn(before) != turn(after) {
            self.turns += 1;
        }
        // Nothing is lost and nothing comes from nowhere; whose a die is never changes.
        assert_eq!(before.dice().len(), after.dice().len());
        for (was, now) in before.dice().iter().zip(after.dice()) {
            assert_eq!(
                (was.id(), was.owner(), was.kind()),
                (now.id(), now.owner(), now.kind())
            );
            match now.lies() {
                Lies::Play(stand) => {
                    let stand = stand.as_ref().expect("the place is known");
                    assert!(now.face().is_known(), "{} shows nothing", now.id());
                    assert!(stand.heading_deg.is_known());
                }
                Lies::Hand => assert_eq!(now.face(), &Place::Unknown),
                Lies::Reserve { turns_left } => assert!((1..=3).contains(turns_left)),
                Lies::Away | Lies::Somewhere => panic!("{} is lost", now.id()),
            }
            // A killed die waits before it comes back; nothing goes from reserve into play.
            if matches!(was.lies(), Lies::Reserve { .. }) {
                assert!(!now.is_in_play(), "{} came back from reserve", now.id());
            }
        }
        // Points come from dice that leave the table, and go to the right player.
        let points = |p: &Position| Player::BOTH.map(|x| p.score(x).value().unwrap());
        let (was, now) = (points(before), points(after));
        let mut due = was;
        let active = turn(before);
        for (old, new) in before.dice().iter().zip(after.dice()) {
            if !old.is_in_play() || new.is_in_play() {
                continue;
            }
            let owner = *old.owner().known().unwrap();
            let worth = after.points(old).value().unwrap();
            let to = match action {
                Action::Fire { .. } => Some(owner.other()),
                Action::Throw { throw, .. } if throw.flies() != old.id() => {
                    Some(active.unwrap().other())
                }
                _ => None,
            };
            match to {
                Some(Player::One) => due[0] += worth,
                Some(Player::Two) => due[1] += worth,
                None => {}
            }
        }
        assert_eq!(now, due, "points after {action}");
        // Nobody lies in anybody, nobody hangs over the edge, as far as that is sure.
        let print = after.print();
        let bodies: Vec<(DieId, TopFace, f64)> = after
            .dice()
            .iter()
            .filter_map(|d| {
                let stand = d.stand()?;
                let pose = Pose {
                    at_mm: stand.at_mm,
                    heading_deg: *stand.heading_deg.known()?,
                    error: stand.error,
                };
                let PoseError::CornerMm(error) = stand.error else {
                    panic!("nobody said so");
                };
                let slack = print.options.sigmas * error + 0.2;
                Some((d.id(), TopFace::of(&pose, print), slack))
            })
            .collect();
        let table = print.options.sigmas * print.options.table_error_mm;
        for (i, (name, body, slack)) in bodies.iter().enumerate() {
            let over = slack + table;
            for corner in body.foot() {
                assert!(
                    (-over..WIDE + over).contains(&corner.x)
                        && (-over..DEEP + over).contains(&corner.y),
                    "{name} hangs over after {action}"
                );
            }
            for (other, there, theirs) in bodies.iter().take(i) {
                let between = (body.centre() - there.centre()).norm();
                let (a, b) = (body.corners(), there.corners());
                // The incircle of a top face has a radius of 14.7 mm.
                assert!(
                    between > 29.3 - slack - theirs,
                    "{name} {a:?} lies in {other} {b:?} after {action}"
                );
            }
        }
        // What waits, waits for dice in play of the player whose turn it is.
        for waiting in &after.flow().waiting {
            let die = after.die(waiting.die()).unwrap();
            assert!(die.is_in_play(), "{waiting}, which is gone");
            assert_eq!(die.owner().known().copied(), turn(after));
        }
        assert!(after.flow().waiting.len() < MAX_WAITING);
    }

    /// What is announced is what playing it does: where a call is sure, its action is accepted
    /// and has the effect that was told; where it is not, the action is refused.
    fn calls_hold(&mut self) {
        let position = self.position.clone();
        let calls = position.calls();
        for call in calls.iter().filter(|c| c.now == Some(true)) {
            match call.what {
                What::Fire {
                    die,
                    after: None,
                    target,
                } => self.shot_holds(&position, &calls, call, die, target),
                What::Fire {
                    die,
                    after: Some(corner),
                    target,
                } => {
                    let mut there = position.clone();
                    if there.act(&Action::Manoeuvre { die, corner }).is_ok() {
                        self.shot_holds(&there, &calls, call, die, target);
                    } else {
                        let open = matches!(call.verdict, Verdict::Unsure | Verdict::Cannot);
                        assert!(open, "{call}: it cannot roll");
                    }
                }
                What::Manoeuvre { die, corner } => {
                    let mut there = position.clone();
                    let legal = there.act(&Action::Manoeuvre { die, corner }).is_ok();
                    agree(call, legal);
                    let stand = there.die(die).and_then(Die::stand).cloned();
                    if let (true, Some(stand)) = (legal, stand) {
                        let up = there.die(die).unwrap().face().known().copied();
                        assert_eq!(call.numbers.face, up, "{call}");
                        let told = call.numbers.at_mm.unwrap();
                        for (told, at) in told.iter().zip(stand.at_mm) {
                            assert!((told.mm() - at).abs() < 0.011, "{call}");
                        }
                    }
                }
                What::CallDice { die } => agree(call, position.is_legal(&Action::Call { die })),
                What::Jump { die } => {
                    agree(call, position.legal_throws().contains(&Throw::Jump { die }));
                }
                What::JumpAlly { die, target } => {
                    let throw = Throw::JumpAlly { die, target };
                    let legal = position.legal_throws().contains(&throw);
                    assert_eq!(legal, call.verdict == Verdict::May, "{call}");
                }
                What::Command { die, target } | What::Remove { die, target } => {
                    let all = shot_of(&position, die).range == Range::All;
                    let target = (!all).then_some(target);
                    let legal = position.is_legal(&match call.what {
                        What::Command { .. } => Action::Command { die, target },
                        _ => Action::Remove { die, target },
                    });
                    match call.verdict {
                        Verdict::Unsure => assert!(!legal, "{call}, but it is accepted"),
                        // Among several, others may be affected, or the order be in doubt.
                        _ if all => {}
                        verdict => assert_eq!(legal, verdict == Verdict::May, "{call}"),
                    }
                }
                What::GoFirst { player } => {
                    let first = player;
                    let legal = position.is_legal(&Action::GoFirst { by: player, first });
                    assert_eq!(legal, call.verdict != Verdict::Cannot, "{call}");
                }
                What::Open { die } => {
                    let centre = position.centre_mm().unwrap();
                    let spot = self.landing(die, Some(centre));
                    assert!(position.is_legal(&Action::Open { die, spot }), "{call}");
                }
                _ => continue,
            }
            self.tried += 1;
        }
    }

    /// Fires, and holds what was announced against what becomes of the target.
    fn shot_holds(&self, there: &Position, calls: &[Call], call: &Call, die: DieId, target: DieId) {
        let all = shot_of(there, die).range == Range::All;
        let action = Action::Fire {
            die,
            target: (!all).then_some(target),
        };
        // An all-range shot is one action: it is sure where it is for all targets.
        let (_, after) = told(call);
        let together: Vec<&Call> = calls
            .iter()
            .filter(|c| told(c) == (Some(die), after))
            .filter(|c| c.verdict != Verdict::Cannot)
            .collect();
        let mut then = there.clone();
        let done = then.act(&action);
        let sure =
            |c: &Call| matches!(c.verdict, Verdict::Hit | Verdict::Miss) && c.unsure_on.is_empty();
        let expected = if all {
            !together.is_empty() && together.iter().all(|c| sure(c))
        } else {
            sure(call)
        };
        assert_eq!(
            done.is_ok(),
            expected,
            "{call}, and {action}: {:?}\n{}\n{there}",
            done.err().map(|e| e.to_string()),
            call.explain()
        );
        if expected && call.verdict != Verdict::Cannot {
            let came = became(there, &then, target);
            assert_eq!(
                call.numbers.outcomes,
                [came],
                "{action}\n{}\n{there}",
                call.explain()
            );
            assert_eq!(
                call.verdict == Verdict::Hit,
                came != Outcome::NoEffect,
                "{call}"
            );
        }
        // Nobody else is moved.
        for other in there.dice().iter().filter(|d| expected && d.is_in_play()) {
            let named =
                |c: &&Call| matches!(c.what, What::Fire { target, .. } if target == other.id());
            let hit = if all {
                together.iter().any(|c| named(&c))
            } else {
                other.id() == target
            };
            if !hit {
                assert_eq!(then.die(other.id()), Some(other), "{action}");
            }
        }
    }
}

/// Who fires in a call, and after which roll.
fn told(call: &Call) -> (Option<DieId>, Option<Corner>) {
    match call.what {
        What::Fire { die, after, .. } => (Some(die), after),
        _ => (None, None),
    }
}

/// A call that is sure is accepted, any other is not.
fn agree(call: &Call, legal: bool) {
    assert_eq!(
        legal,
        call.verdict == Verdict::May,
        "{call}\n{}",
        call.explain()
    );
}

fn shot_of(position: &Position, die: DieId) -> Shot {
    let die = position.die(die).unwrap();
    let kind = position.print().kind(*die.kind().known().unwrap()).unwrap();
    let up = die.face().known().unwrap();
    kind.faces
        .iter()
        .find(|f| f.id == *up)
        .unwrap()
        .shot
        .unwrap()
}

/// What became of a die.
fn became(before: &Position, after: &Position, id: DieId) -> Outcome {
    let (was, now) = (before.die(id).unwrap(), after.die(id).unwrap());
    if !now.is_in_play() {
        return Outcome::Kill;
    }
    if was == now {
        return Outcome::NoEffect;
    }
    let to = *now.face().known().unwrap();
    let kind = after.print().kind(*now.kind().known().unwrap()).unwrap();
    let side = kind.faces.iter().find(|f| f.id == to).unwrap().side;
    Outcome::Damage { to, side }
}

fn many(seeds: std::ops::Range<u64>, every: u32) {
    let mut wins = [0u32; 2];
    let mut stuck = Vec::new();
    let (mut turns, mut tried) = (0u64, 0u64);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        // Shown only where it fails: which game to play again.
        eprintln!("game {seed}");
        let mut game = start(seed);
        game.every = every;
        match game.play_to_the_end() {
            Some(winner) => wins[usize::from(winner == Player::Two)] += 1,
            None => stuck.push(seed),
        }
        turns += u64::from(game.turns);
        tried += game.tried;
    }
    println!(
        "{count} games, {wins:?} won, {} stuck {stuck:?}, {} turns each, {tried} calls tried",
        stuck.len(),
        turns / count
    );
    // Every one of them was shown to be stuck by the rules: all dice of both armies lie on the
    // table, and none may do anything for good.
    assert!(stuck.len() as u64 <= count / 100, "{stuck:?} had no end");
    assert!(wins.iter().all(|w| u64::from(*w) > count / 10), "{wins:?}");
    assert!(tried > count * 50, "{tried} calls were tried");
}

#[test]
fn random_games_come_to_their_end() {
    many(0..300, 2);
}

#[test]
#[ignore = "takes minutes; ./run soak"]
fn soak_diceland_ten_thousand_games() {
    many(1_000..11_000, 3);
}

#[test]
fn scores_start_at_nothing() {
    let game = start(1);
    assert_eq!(game.position.scores(), [Span::known(0); 2]);
}
