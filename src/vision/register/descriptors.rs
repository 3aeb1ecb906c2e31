//! Descriptors of features, and which of a picture's are nearest to those of a reference.
//!
//! All distances of two sets are one product of matrices: several times as fast as one pair after the other, which
//! was most of what a search cost, and as exact, since SIFT's descriptors are whole numbers up to 255.

use nalgebra::DMatrix;
use opencv::{core::Mat, prelude::*};

use crate::vision::eye::VisionError;

/// So few say nothing.
const LEAST: usize = 10;
/// Features of a reference whose distances are worked out at once: more would only want more memory.
const AT_ONCE: usize = 256;

/// The descriptors of a picture's features.
#[derive(Debug)]
pub(in crate::vision) struct Descriptors {
    /// A column a feature.
    each: DMatrix<f32>,
    /// The squares of their lengths.
    squares: Vec<f32>,
}

/// A feature of a picture that may be one of a reference's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::vision) struct Near {
    /// Places of the two among their own.
    pub reference: usize,
    pub picture: usize,
    /// Euclidean, between their descriptors.
    pub distance: f32,
}

impl Descriptors {
    /// From a matrix with a row a feature.
    pub(super) fn of(rows: &Mat) -> Result<Self, VisionError> {
        let (n, dim) = (rows.rows().max(0) as usize, rows.cols().max(0) as usize);
        let values: &[f32] = if n * dim == 0 {
            &[]
        } else {
            rows.data_typed()?
        };
        Ok(Self::of_values(dim, values.to_vec()))
    }

    /// From `dim` numbers a feature, one after the other.
    pub(super) fn of_values(dim: usize, values: Vec<f32>) -> Self {
        let n = values.len().checked_div(dim).unwrap_or(0);
        let each = DMatrix::from_vec(dim, n, values);
        let squares = each.column_iter().map(|c| c.norm_squared()).collect();
        Self { each, squares }
    }

    /// Those of several pictures of one thing, one after the other.
    pub(in crate::vision) fn joined(all: &[Self]) -> Self {
        let dim = all.iter().map(|d| d.each.nrows()).max().unwrap_or(0);
        let full = all.iter().filter(|d| d.each.nrows() == dim);
        let columns: Vec<f32> = full
            .clone()
            .flat_map(|d| d.each.as_slice().to_vec())
            .collect();
        let squares: Vec<f32> = full.flat_map(|d| d.squares.clone()).collect();
        Self {
            each: DMatrix::from_vec(dim, squares.len(), columns),
            squares,
        }
    }

    fn len(&self) -> usize {
        self.squares.len()
    }

    /// For each feature of a reference the `most` of this picture's that are nearest, nearest first; none where either
    /// has too few to say anything.
    pub(in crate::vision) fn nearest(&self, reference: &Self, most: usize) -> Vec<Vec<Near>> {
        if self.len() < LEAST || reference.len() < LEAST {
            return Vec::new();
        }
        let own = self.each.transpose();
        let mut out = Vec::with_capacity(reference.len());
        for first in (0..reference.len()).step_by(AT_ONCE) {
            let n = AT_ONCE.min(reference.len() - first);
            let products = &own * reference.each.columns(first, n);
            let of = reference.squares.iter().enumerate().skip(first);
            for ((i, square), products) in of.zip(products.column_iter()) {
                let mut near: Vec<(f32, usize)> = Vec::with_capacity(most + 1);
                let all = products.iter().zip(&self.squares).enumerate();
                for (j, (product, own)) in all {
                    let apart = own + square - 2.0 * product;
                    if near.len() == most && near.last().is_some_and(|l| apart >= l.0) {
                        continue;
                    }
                    near.insert(near.partition_point(|n| n.0 <= apart), (apart, j));
                    near.truncate(most);
                }
                let near = near.into_iter().map(|(apart, j)| Near {
                    reference: i,
                    picture: j,
                    distance: apart.max(0.0).sqrt(),
                });
                out.push(near.collect());
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use opencv::{
        core::{self, CV_32F, DMatch, Vector},
        features2d,
    };

    /// Whole numbers, as SIFT's are, none twice.
    fn some(n: i32, seed: u64) -> Mat {
        let mut rows = Mat::zeros(n, 128, CV_32F).unwrap().to_mat().unwrap();
        let mut s = seed;
        for v in rows.data_typed_mut::<f32>().unwrap() {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            *v = (s % 256) as f32;
        }
        rows
    }

    #[test]
    fn the_nearest_are_those_of_a_search_pair_by_pair() {
        let (reference, picture) = (some(300, 3), some(700, 5));
        let matcher = features2d::BFMatcher::create(core::NORM_L2, false).unwrap();
        let mut slow: Vector<Vector<DMatch>> = Vector::new();
        matcher
            .knn_train_match_def(&reference, &picture, &mut slow, 3)
            .unwrap();
        let fast = Descriptors::of(&picture)
            .unwrap()
            .nearest(&Descriptors::of(&reference).unwrap(), 3);
        assert_eq!(fast.len(), 300);
        for (fast, slow) in fast.iter().zip(&slow) {
            let slow: Vec<(usize, usize)> = slow
                .iter()
                .map(|m| (m.query_idx as usize, m.train_idx as usize))
                .collect();
            let fast: Vec<(usize, usize)> = fast.iter().map(|m| (m.reference, m.picture)).collect();
            assert_eq!(fast, slow);
        }
    }

    #[test]
    fn few_features_say_nothing() {
        let of = |n, seed| Descriptors::of(&some(n, seed)).unwrap();
        assert!(of(9, 1).nearest(&of(50, 2), 3).is_empty());
        assert!(of(50, 1).nearest(&of(9, 2), 3).is_empty());
        let none = Descriptors::of(&Mat::default()).unwrap();
        assert!(none.nearest(&of(50, 2), 3).is_empty());
    }
}
