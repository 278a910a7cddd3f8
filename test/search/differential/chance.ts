import type { Random } from '../../faults/kill/random.ts'

/** One of the items, of which there is at least one. */
export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.between(0, items.length)] as Item
}

/** True so often: 0.1 is one time in ten. */
export function happens(random: Random, share: number): boolean {
  return random.next() < share
}

export function times<Item>(random: Random, from: number, to: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: random.between(from, to) }, (_, index) => make(index))
}

/** One of several ways, each as likely as its weight says. */
export function inOneWay<Result>(random: Random, ways: readonly (readonly [weight: number, make: () => Result])[]): Result {
  let left = random.next() * ways.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, make] of ways) {
    left -= weight
    if (left < 0) return make()
  }
  return (ways.at(-1) as (typeof ways)[number])[1]()
}
