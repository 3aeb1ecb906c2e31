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
    shared_out(std::slice::from_ref(odds))
        .pop()
        .unwrap_or_else(|| vec![(None, 1.0)])
}

/// What each of several things is when there is only one of each: the chances over all ways to share them out (no
/// two things are one; what is none of them costs nothing), by Bayes' rule. Only the first so many are told.
pub(super) fn each_once(odds: &[Chances]) -> Vec<Answers> {
    let best = odds.iter().take(TOGETHER).map(|one| {
        let mut one = one.clone();
        one.sort_by(|a, b| b.1.total_cmp(&a.1));
        one.truncate(CHOICES);
        one
    });
    let best: Vec<Chances> = best.collect();
    let mut out = shared_out(&best);
    // of the rest it is only known what each is most like
    out.extend(odds.iter().skip(TOGETHER).map(|one| {
        let mut answers = alone(one);
        answers.iter_mut().for_each(|a| a.1 = a.1.min(0.5));
        answers
    }));
    out
}

/// The same odds where it is only likely, by this chance, that there is such a thing at all: a thing that is none of them may be
/// nothing, too.
pub(super) fn if_there(odds: &Chances, there: f64) -> Chances {
    let all: f64 = odds.iter().map(|(_, w)| w.exp()).sum();
    let none = there + (1.0 - there) * (1.0 + all);
    let none = none.max(f64::MIN_POSITIVE).ln();
    let there = there.max(f64::MIN_POSITIVE).ln();
    odds.iter().map(|(i, w)| (*i, there + w - none)).collect()
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

fn shared_out(odds: &[Chances]) -> Vec<Answers> {
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
    for (weight, _) in &ways {
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
        let both = each_once(&[vec![(0, 9.0), (1, 3.0)], vec![(0, 7.0), (1, 6.0)]]);
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
    fn what_is_hardly_there_is_rather_nothing() {
        let odds = vec![(0, 2.0), (1, -1.0)];
        // what is surely there is what it is like
        for (was, is) in odds.iter().zip(if_there(&odds, 1.0)) {
            assert!((was.1 - is.1).abs() < 1e-12 && was.0 == is.0);
        }
        // by Bayes' rule: there, and this one, against all else
        let of = |w: f64| w.exp() / (1.0 + 2_f64.exp() + (-1_f64).exp());
        let chance = 0.4 * of(2.0);
        let none = 1.0 - 0.4 * (of(2.0) + of(-1.0));
        assert!((if_there(&odds, 0.4)[0].1 - (chance / none).ln()).abs() < 1e-12);
        assert!(alone(&if_there(&odds, 0.4))[0].0.is_none());
    }

    #[test]
    fn a_third_ship_is_none_of_two() {
        let odds = vec![(0, 5.0), (1, 5.0)];
        let all = each_once(&[odds.clone(), odds.clone(), odds]);
        // nothing tells which is the stranger
        assert!(all.iter().all(|answers| answers[0].1 < 0.5));
    }
}
