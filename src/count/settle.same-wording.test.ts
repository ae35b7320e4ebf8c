import { expect, test } from 'vitest'
import { hasSameWording } from './settle.ts'

test.each([
  ['The town should close its centre to cars.', 'The town should close its center to cars.'],
  ['A good neighbour helps.', 'The good neighbor helps…'],
  ['The town should not close its centre to cars.', 'The small town should not close its center to cars.'],
  ['A small team should write tests before code.', 'Small teams should write tests before code.'],
])('[D40] %j and %j differ in hardly a word', (one, other) => {
  expect(hasSameWording(one, other)).toBe(true)
  expect(hasSameWording(other, one)).toBe(true)
})

test.each([
  ['Tea is best.', 'Tea is second best.'],
  ['The town should close its centre to cars.', 'The town should not close its centre to cars.'],
  ['The town should close its centre to cars.', 'The town should never close its center to cars.'],
  ['Typical cases matter most to us.', 'Atypical cases matter most to us.'],
  ['Dogs chase cats.', 'Cats chase dogs.'],
  ['Heat the pool in summer.', 'Heat the pool in winter.'],
  ['People need about 7 hours of sleep.', 'People need about 8 hours of sleep.'],
  ['People need hours of deep sleep every night.', 'People need 8 hours of deep sleep every night.'],
  ['It was built around 1990 or so, they say.', 'It was built around 1990s or so, they say.'],
  ['It costs 100000 dollars to build a house.', 'It costs 1000000 dollars to build a house.'],
  ['We wait four days for the next train.', 'We wait for days for the next train.'],
  ['It is legal to park here on any day.', 'It is illegal to park here on any day.'],
  ['In the small town the ratio is 1:2.', 'In the small town the ratio is 1.2.'],
  ['The number of ways to seat them is 5!', 'The number of ways to seat them is 5.'],
  ['The surface of the pond is about 10² metres.', 'The surface of the pond is about 102 metres.'],
  ['The', 'A'],
  ['', 'Tea'],
])('[D40] %j and %j are not the same', (one, other) => {
  expect(hasSameWording(one, other)).toBe(false)
  expect(hasSameWording(other, one)).toBe(false)
})
