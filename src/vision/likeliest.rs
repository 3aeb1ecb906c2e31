//! What several things likeliest are, where each may be one of a few or none of them.

/// Log-odds of what a thing may be, against being none of it.
pub(super) type Chances = Vec<(usize, f64)>;

/// So many things are weighed together, and so many choices for each: the rest cannot be told.
const TOGETHER: usize = 6;
const CHOICES: usize = 3;

/// What a thing may be (`None`: none of it) with the chance of each, likeliest first.
pub(super) type Answers = Vec<(Option<usize>, f64)>;

/// What one thing is.
pub(super) fn alone(odds: &Chances) -> Answers {
    shared_out(std::slice::from_ref(odds), 0.0)
        .pop()
        .unwrap_or_else(|| vec![(None, 1.0)])
}

/// What each of several things is when there is only one of each: the chances over all ways to share them out (no
/// two things are one; what is none of them costs nothing), by Bayes' rule. `missed` are the log-odds against each being among the
/// things at all. Only the first so many are told.
pub(super) fn each_once(odds: &[Chances], missed: f64) -> Vec<Answers> {
    let best = odds.iter().take(TOGETHER).map(|one| {
        let mut one = one.clone();
        one.sort_by(|a, b| b.1.total_cmp(&a.1));
        one.truncate(CHOICES);
        one
    });
    let best: Vec<Chances> = best.collect();
    let mut out = shared_out(&best, missed);
    // of the rest it is only known what each is most like
    out.extend(odds.iter().skip(TOGETHER).map(|one| {
        let mut answers = alone(one);
        answers.iter_mut().for_each(|a| a.1 = a.1.min(0.5));
        answers
    }));
    out
}

/// What each thing is taken for where there is only one of each: the likeliest first, and what is taken for nothing
/// likelier than for what is left is `None`.
pub(super) fn one_each(answers: &[Answers]) -> Vec<Option<usize>> {
    let mut claims: Vec<(f64, usize, usize)> = Vec::new();
    for (at, answers) in answers.iter().enumerate() {
        let none = answers.iter().find(|a| a.0.is_none()).map_or(0.0, |a| a.1);
        let some = answers
            .iter()
            .filter_map(|(what, chance)| Some(((*what)?, *chance)));
        let some = some.filter(|(_, chance)| *chance > none);
        claims.extend(some.map(|(what, chance)| (chance, at, what)));
    }
    claims.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut out = vec![None; answers.len()];
    for (_, at, what) in claims {
        if !out.contains(&Some(what))
            && let Some(free @ None) = out.get_mut(at)
        {
            *free = Some(what);
        }
    }
    out
}

fn shared_out(odds: &[Chances], missed: f64) -> Vec<Answers> {
    let mut all: Vec<usize> = odds.iter().flatten().map(|(i, _)| *i).collect();
    all.sort_unstable();
    all.dedup();
    let mut most = f64::MIN;
    let mut ways: Vec<(f64, Vec<Option<usize>>)> = vec![(0.0, Vec::new())];
    for one in odds {
        let mut next = Vec::new();
        for (weight, taken) in &ways {
            let free = one.iter().filter(|(i, _)| !taken.contains(&Some(*i)));
            let choices = free.map(|(i, w)| (Some(*i), *w)).chain([(None, 0.0)]);
            next.extend(choices.map(|(choice, w)| {
                let mut chosen = taken.clone();
                chosen.push(choice);
                (weight + w, chosen)
            }));
        }
        ways = next;
    }
    for (weight, taken) in &mut ways {
        let missing = all.iter().filter(|i| !taken.contains(&Some(**i)));
        *weight += missed * missing.count() as f64;
        most = most.max(*weight);
    }
    let total: f64 = ways.iter().map(|(w, _)| (w - most).exp()).sum();
    let chance = |at: usize, choice: Option<usize>| {
        let those = ways.iter().filter(|(_, c)| c.get(at) == Some(&choice));
        those.map(|(w, _)| (w - most).exp()).sum::<f64>() / total
    };
    odds.iter()
        .enumerate()
        .map(|(at, one)| {
            let choices = one.iter().map(|(i, _)| Some(*i)).chain([None]);
            let mut answers: Answers = choices.map(|c| (c, chance(at, c))).collect();
            answers.sort_by(|a, b| b.1.total_cmp(&a.1));
            answers
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_what_is_likeliest() {
        let (what, chance) = alone(&vec![(3, 4.0), (5, 1.0)])[0];
        assert_eq!(what, Some(3));
        let sum = 4_f64.exp() + 1_f64.exp() + 1.0;
        assert!((chance - 4_f64.exp() / sum).abs() < 1e-12);
        assert_eq!(alone(&vec![(3, -2.0)])[0].0, None);
        assert_eq!(alone(&Vec::new()), [(None, 1.0)]);
    }

    #[test]
    fn two_things_are_not_the_same_one() {
        // both are most like the first, the second thing less so
        let both = each_once(&[vec![(0, 9.0), (1, 3.0)], vec![(0, 7.0), (1, 6.0)]], 0.0);
        let best = [both[0][0], both[1][0]];
        assert_eq!([best[0].0, best[1].0], [Some(0), Some(1)]);
        assert!(best[0].1 > alone(&vec![(0, 9.0), (1, 3.0)])[0].1 - 0.02);
        assert!(best[1].1 > 0.9);
    }

    #[test]
    fn each_is_in_one_place() {
        let answers = vec![
            vec![(Some(0), 0.8), (None, 0.1), (Some(1), 0.1)],
            vec![(Some(0), 0.5), (Some(1), 0.3), (None, 0.2)],
            vec![(Some(0), 0.5), (None, 0.4), (Some(1), 0.1)],
            vec![(None, 0.9), (Some(1), 0.1)],
        ];
        assert_eq!(one_each(&answers), [Some(0), Some(1), None, None]);
    }

    #[test]
    fn what_is_expected_is_rather_there() {
        let two = [vec![(0, -1.0), (1, -3.0)], vec![(0, -2.0), (1, -1.5)]];
        assert!(one_each(&each_once(&two, 0.0)).iter().all(Option::is_none));
        let missed = (0.1_f64 / 0.9).ln();
        assert_eq!(one_each(&each_once(&two, missed)), [Some(0), Some(1)]);
        // by Bayes' rule, of one thing that may be one of one
        let one = each_once(&[vec![(0, 1.0)]], missed);
        let chance = 1_f64.exp() / (1_f64.exp() + 0.1 / 0.9);
        assert!((one[0][0].1 - chance).abs() < 1e-12);
    }

    #[test]
    fn a_third_ship_is_none_of_two() {
        let odds = vec![(0, 5.0), (1, 5.0)];
        let all = each_once(&[odds.clone(), odds.clone(), odds], 0.0);
        // nothing tells which is the stranger
        assert!(all.iter().all(|answers| answers[0].1 < 0.5));
    }
}
