import { createYieldPoint } from '../../base/event-loop.ts'
import { roughSize } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'

/** How large one answer may become, whatever it nests. */
export interface AnswerLimits {
  readonly maxEntities: number
  readonly maxBytes: number
}

export const answerTooLarge = defineProblem(
  'answerTooLarge',
  'invalid',
  (of: { what: 'entities' | 'bytes'; max: number }) =>
    `The answer would have more than the ${of.max} ${of.what} allowed at once. Ask for a smaller page, for fewer schemas, ` +
    'enrichers and fetched properties, or for less depth.',
)

/**
 * What writing one answer may still take, shared by all entities in it: one inside another multiplies. Counted while it is written,
 * as the memory is gone by the time that there is a text to measure.
 */
export class RenderBudget {
  readonly #limits: AnswerLimits
  readonly #pace = createYieldPoint()
  #entities = 0
  #bytes = 0

  constructor(limits: AnswerLimits) {
    this.#limits = limits
  }

  /** An entity with these properties. @throws answerTooLarge */
  spendEntity(shown: unknown): void {
    this.#entities++
    if (this.#entities > this.#limits.maxEntities) throw answerTooLarge({ what: 'entities', max: this.#limits.maxEntities })
    this.spend(sizeOfBaseFields + roughSize(shown))
  }

  /** @throws answerTooLarge */
  spend(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.maxBytes) throw answerTooLarge({ what: 'bytes', max: this.#limits.maxBytes })
  }

  /** Lets others have their turn when this answer has had its share of time. */
  rest(): Promise<void> | undefined {
    return this.#pace()
  }
}

const sizeOfBaseFields = 800
