;; The encoder's inner loops, two doubles at a time, each sum in the same order as one by one.
(module
  (memory (import "encoder" "memory") 1)

  ;; Adds up rows of the table (256 int8), each times its scale (float32), into 256 doubles: sixteen columns at a time. `ids` are int32.
  (func (export "pool")
    (param $table i32) (param $scales i32) (param $ids i32) (param $idsEnd i32) (param $sums i32)
    (local $column i32) (local $at i32) (local $id i32) (local $scale v128) (local $row v128)
    (local $low0 v128) (local $low1 v128) (local $high0 v128) (local $high1 v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (loop $columns
      (local.set $a (v128.const f64x2 0 0))
      (local.set $b (v128.const f64x2 0 0))
      (local.set $c (v128.const f64x2 0 0))
      (local.set $d (v128.const f64x2 0 0))
      (local.set $e (v128.const f64x2 0 0))
      (local.set $f (v128.const f64x2 0 0))
      (local.set $g (v128.const f64x2 0 0))
      (local.set $h (v128.const f64x2 0 0))
      (local.set $at (local.get $ids))
      (block $added (loop $next
        (br_if $added (i32.ge_u (local.get $at) (local.get $idsEnd)))
        (local.set $id (i32.load (local.get $at)))
        (local.set $scale (f64x2.splat (f64.promote_f32
          (f32.load (i32.add (local.get $scales) (i32.shl (local.get $id) (i32.const 2)))))))
        (local.set $row (v128.load align=1
          (i32.add (i32.add (local.get $table) (i32.shl (local.get $id) (i32.const 8))) (local.get $column))))
        (local.set $high0 (i16x8.extend_high_i8x16_s (local.get $row)))
        (local.set $low0 (i16x8.extend_low_i8x16_s (local.get $row)))
        (local.set $low1 (i32x4.extend_high_i16x8_s (local.get $low0)))
        (local.set $low0 (i32x4.extend_low_i16x8_s (local.get $low0)))
        (local.set $high1 (i32x4.extend_high_i16x8_s (local.get $high0)))
        (local.set $high0 (i32x4.extend_low_i16x8_s (local.get $high0)))
        (local.set $a (f64x2.add (local.get $a) (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $low0)) (local.get $scale))))
        (local.set $b (f64x2.add (local.get $b) (f64x2.mul (f64x2.convert_low_i32x4_s
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $low0) (local.get $low0))) (local.get $scale))))
        (local.set $c (f64x2.add (local.get $c) (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $low1)) (local.get $scale))))
        (local.set $d (f64x2.add (local.get $d) (f64x2.mul (f64x2.convert_low_i32x4_s
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $low1) (local.get $low1))) (local.get $scale))))
        (local.set $e (f64x2.add (local.get $e) (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $high0)) (local.get $scale))))
        (local.set $f (f64x2.add (local.get $f) (f64x2.mul (f64x2.convert_low_i32x4_s
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $high0) (local.get $high0))) (local.get $scale))))
        (local.set $g (f64x2.add (local.get $g) (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $high1)) (local.get $scale))))
        (local.set $h (f64x2.add (local.get $h) (f64x2.mul (f64x2.convert_low_i32x4_s
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $high1) (local.get $high1))) (local.get $scale))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next)))
      (v128.store offset=0 (local.get $sums) (local.get $a))
      (v128.store offset=16 (local.get $sums) (local.get $b))
      (v128.store offset=32 (local.get $sums) (local.get $c))
      (v128.store offset=48 (local.get $sums) (local.get $d))
      (v128.store offset=64 (local.get $sums) (local.get $e))
      (v128.store offset=80 (local.get $sums) (local.get $f))
      (v128.store offset=96 (local.get $sums) (local.get $g))
      (v128.store offset=112 (local.get $sums) (local.get $h))
      (local.set $sums (i32.add (local.get $sums) (i32.const 128)))
      (local.set $column (i32.add (local.get $column) (i32.const 16)))
      (br_if $columns (i32.lt_u (local.get $column) (i32.const 256)))))

  ;; Adds to each of `units` sums (doubles, a multiple of eight) its weights times the inputs (doubles). Weights: for eight units
  ;; one after the other, for each input eight doubles.
  (func (export "addProducts")
    (param $weights i32) (param $inputs i32) (param $inputsEnd i32) (param $sums i32) (param $units i32)
    (local $at i32) (local $input v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $eight
      (local.set $a (v128.load offset=0 (local.get $sums)))
      (local.set $b (v128.load offset=16 (local.get $sums)))
      (local.set $c (v128.load offset=32 (local.get $sums)))
      (local.set $d (v128.load offset=48 (local.get $sums)))
      (local.set $at (local.get $inputs))
      (loop $next
        (local.set $input (v128.load64_splat (local.get $at)))
        (local.set $a (f64x2.add (local.get $a) (f64x2.mul (v128.load offset=0 (local.get $weights)) (local.get $input))))
        (local.set $b (f64x2.add (local.get $b) (f64x2.mul (v128.load offset=16 (local.get $weights)) (local.get $input))))
        (local.set $c (f64x2.add (local.get $c) (f64x2.mul (v128.load offset=32 (local.get $weights)) (local.get $input))))
        (local.set $d (f64x2.add (local.get $d) (f64x2.mul (v128.load offset=48 (local.get $weights)) (local.get $input))))
        (local.set $weights (i32.add (local.get $weights) (i32.const 64)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $next (i32.lt_u (local.get $at) (local.get $inputsEnd))))
      (v128.store offset=0 (local.get $sums) (local.get $a))
      (v128.store offset=16 (local.get $sums) (local.get $b))
      (v128.store offset=32 (local.get $sums) (local.get $c))
      (v128.store offset=48 (local.get $sums) (local.get $d))
      (local.set $sums (i32.add (local.get $sums) (i32.const 64)))
      (local.set $units (i32.sub (local.get $units) (i32.const 8)))
      (br_if $eight (i32.gt_s (local.get $units) (i32.const 0))))))
