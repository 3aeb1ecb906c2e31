//! Whole games of random but legal play, to their end, with what must always hold checked on the
//! way.
//!
//! The long form: `cargo test --release --no-default-features --test rules_diceland_play -- --ignored`

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "rules_diceland_support.rs"]
mod support;

use sightline::rules::diceland::*;
use sightline::rules::{Place, Span, Verdict};
use support::*;

const WIDE: f64 = 1100.0;
const DEEP: f64 = 700.0;

/// A game that is being played by chance.
struct Match {
    position: Position,
    rng: Rng,
    /// Points that were seen to be earned.
    earned: [u16; 2],
    turns: u32,
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
    // Every roll is seen again by the camera in half of the games; in the others the reckoned
    // place is as good as a seen one.
    print.options.roll_error_mm = 0.0;
    print.options.error_mm = if seed.is_multiple_of(3) { 1.5 } else { 0.3 };
    let mut table = TableSetup {
        edge_mm: vec![[0.0, 0.0], [WIDE, 0.0], [WIDE, DEEP], [0.0, DEEP]],
        things: Vec::new(),
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
        earned: [0, 0],
        turns: 0,
    }
}

impl Match {
    /// Who wins, or nobody: where no die can do anything any more, both pass for ever, and the
    /// rule text knows no way out.
    fn play_to_the_end(mut self) -> (Option<Player>, u32) {
        for step in 0..20_000 {
            if let Some(winner) = self.position.winner() {
                let Stage::Over(said) = self.position.flow().stage else {
                    panic!("somebody has won and the game goes on");
                };
                assert_eq!(winner, said);
                assert!(self.position.legal_actions().is_empty());
                assert!(self.position.legal_throws().is_empty());
                return (Some(winner), self.turns);
            }
            if self.position.flow().passes > 8 {
                assert_eq!(self.position.legal_actions(), [Action::Pass]);
                assert!(self.position.legal_throws().is_empty());
                return (None, self.turns);
            }
            self.step(step);
        }
        panic!("no end in sight:\n{}", self.position);
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
                // What is too close to call is what players settle by eye; a landing that does
                // not fit is thrown elsewhere.
                self.rule_on(&because);
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
        if step.is_multiple_of(41) {
            self.calls_hold();
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

    /// Players say how what was too close to call comes out.
    fn rule_on(&mut self, because: &Because) {
        let position = &self.position;
        let next = position.flow().waiting.last().map(Waiting::die);
        let dice: Vec<DieId> = position
            .dice()
            .iter()
            .filter(|d| d.is_in_play())
            .map(Die::id)
            .collect();
        let say = |rng: &mut Rng| rng.one_in(2);
        let ruling = match because.0 {
            Reason::OrderMatters { first, second } => next
                .or_else(|| self.rng.pick(&dice).copied())
                .filter(|to| *to != first && *to != second)
                .map(|to| Ruling::Nearer {
                    to,
                    near: first,
                    far: second,
                }),
            Reason::PinnedUnsure { corner } => {
                let die = *self.rng.pick(&dice).unwrap();
                Some(Ruling::Room {
                    die,
                    corner,
                    free: say(&mut self.rng),
                })
            }
            Reason::OnTheLine { arrow, .. } if dice.len() > 1 => {
                let die = next.unwrap_or(dice[0]);
                let target = *self.rng.pick(&dice).unwrap();
                (die != target).then_some(Ruling::Sees {
                    die,
                    arrow,
                    target,
                    sees: say(&mut self.rng),
                })
            }
            _ => None,
        };
        if let Some(ruling) = ruling {
            let before = self.position.clone();
            if let Ok(change) = self.position.act(&Action::Rule(ruling)) {
                let mut back = self.position.clone();
                back.replay(&change.inverse()).unwrap();
                assert_eq!(back, before);
            }
        }
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
        self.earned = now;
        // Nobody lies in anybody, nobody hangs over the edge, as far as that is sure.
        let print = after.print();
        let bodies: Vec<(DieId, TopFace)> = after
            .dice()
            .iter()
            .filter_map(|d| {
                let stand = d.stand()?;
                let pose = Pose {
                    at_mm: stand.at_mm,
                    heading_deg: *stand.heading_deg.known()?,
                    error: stand.error,
                };
                Some((d.id(), TopFace::of(&pose, print)))
            })
            .collect();
        let slack = 4.0;
        for (i, (name, body)) in bodies.iter().enumerate() {
            for corner in body.foot() {
                assert!(
                    (-slack..WIDE + slack).contains(&corner.x)
                        && (-slack..DEEP + slack).contains(&corner.y),
                    "{name} hangs over after {action}"
                );
            }
            for (other, there) in bodies.iter().take(i) {
                let between = (body.centre() - there.centre()).norm();
                let (a, b) = (body.corners(), there.corners());
                // The incircle of a top face has a radius of 14.7 mm.
                assert!(
                    between > 29.3 - slack,
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

    /// What is announced and what is accepted are the same.
    fn calls_hold(&self) {
        let position = &self.position;
        for call in position.calls() {
            if call.now != Some(true) {
                continue;
            }
            let action = match call.what {
                What::Fire {
                    die,
                    after: None,
                    target,
                } => {
                    let kind = position.die(die).unwrap().kind().known().unwrap();
                    let up = position.die(die).unwrap().face().known().unwrap();
                    let print = position.print().kind(*kind).unwrap();
                    let shown = print.faces.iter().find(|f| f.id == *up).unwrap();
                    // All-range shots hang on all targets at once.
                    match shown.shot.unwrap().range {
                        Range::All => continue,
                        _ => Action::Fire {
                            die,
                            target: Some(target),
                        },
                    }
                }
                What::Manoeuvre { die, corner } => Action::Manoeuvre { die, corner },
                What::CallDice { die } => Action::Call { die },
                _ => continue,
            };
            let legal = position.is_legal(&action);
            match call.verdict {
                Verdict::Hit | Verdict::Miss | Verdict::May if call.unsure_on.is_empty() => {
                    assert!(legal, "{call}, but {action} is refused\n{}", call.explain());
                }
                Verdict::Cannot | Verdict::Unsure => {
                    assert!(
                        !legal,
                        "{call}, but {action} is accepted\n{}",
                        call.explain()
                    );
                }
                _ => {}
            }
        }
    }
}

fn many(seeds: std::ops::Range<u64>) {
    let mut wins = [0u32; 2];
    let mut stuck = 0u32;
    let mut turns = 0u64;
    let count = seeds.end - seeds.start;
    for seed in seeds {
        // Shown only where it fails: which game to play again.
        eprintln!("game {seed}");
        let (winner, took) = start(seed).play_to_the_end();
        match winner {
            Some(winner) => wins[usize::from(winner == Player::Two)] += 1,
            None => stuck += 1,
        }
        turns += u64::from(took);
    }
    println!(
        "{count} games, {wins:?} won, {stuck} stuck, {} turns each",
        turns / count
    );
    assert!(u64::from(stuck) <= count / 50, "{stuck} games had no end");
    assert!(wins.iter().all(|w| u64::from(*w) > count / 10), "{wins:?}");
}

#[test]
fn random_games_come_to_their_end() {
    many(0..300);
}

#[test]
#[ignore = "takes minutes; ./run soak"]
fn soak_diceland_ten_thousand_games() {
    many(1_000..11_000);
}

#[test]
fn scores_start_at_nothing() {
    let game = start(1);
    assert_eq!(game.position.scores(), [Span::known(0); 2]);
}
