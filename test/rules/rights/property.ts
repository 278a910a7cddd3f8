import fc from 'fast-check'
import { requireAgreement } from './agreement.ts'
import { someSteps } from './step.ts'
import { createWorld, type Stage, take } from './world.ts'

const longest = 25

/** Whatever is done on the stage, and after each step of it, all that tells about rights agrees. */
export function rightsAgree(stage: Stage): fc.IAsyncProperty<unknown> {
  let worlds = 0
  return fc.asyncProperty(someSteps(longest), async (steps) => {
    const world = await createWorld(stage, `world-${++worlds}`)
    for (const step of steps) {
      await take(world, step)
      await requireAgreement(world)
    }
  })
}
