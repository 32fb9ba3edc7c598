;; Dot products of one query with many vectors: int8 times int16, sixteen at a time, summed exactly in int32.
(module
  (memory (export "memory") 17)
  (func (export "dotProducts")
    (param $vectors i32) (param $count i32) (param $dimensions i32) (param $query i32) (param $sums i32)
    (local $wide i32) (local $at i32) (local $sum v128) (local $total i32) (local $values v128) (local $weights i32)
    (local.set $wide (i32.and (local.get $dimensions) (i32.const -16)))
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (local.set $weights (local.get $query))
      (block $summed (loop $sixteen
        (br_if $summed (i32.ge_u (local.get $at) (local.get $wide)))
        (local.set $values (v128.load align=1 (i32.add (local.get $vectors) (local.get $at))))
        (local.set $sum (i32x4.add (local.get $sum) (i32x4.add
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $values)) (v128.load align=2 (local.get $weights)))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $values)) (v128.load offset=16 align=2 (local.get $weights))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $weights (i32.add (local.get $weights) (i32.const 32)))
        (br $sixteen)))
      (local.set $total (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
        (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (block $whole (loop $one
        (br_if $whole (i32.ge_u (local.get $at) (local.get $dimensions)))
        (local.set $total (i32.add (local.get $total) (i32.mul
          (i32.load8_s (i32.add (local.get $vectors) (local.get $at)))
          (i32.load16_s (local.get $weights)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $weights (i32.add (local.get $weights) (i32.const 2)))
        (br $one)))
      (i32.store (local.get $sums) (local.get $total))
      (local.set $sums (i32.add (local.get $sums) (i32.const 4)))
      (local.set $vectors (i32.add (local.get $vectors) (local.get $dimensions)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br $next)))))
