import { roughSize } from '../../base/json.ts'
import { documentsTooLarge } from '../../store/problems.ts'
import { answerTooLarge, type RenderContext } from './rendering.ts'

interface NamedEnricher<Subject> {
  readonly name: string
  enrich(subject: Subject): Promise<{ readonly [key: string]: unknown }>
}

/** What the enrichers add, one after another. One that fails leaves out its part and nothing else. @throws answerTooLarge, documentsTooLarge */
export async function writeContextParameters<Subject extends { readonly context: RenderContext }>(
  enrichers: readonly NamedEnricher<Subject>[],
  subject: Subject,
  subjectId: string,
): Promise<{ [key: string]: unknown }> {
  const { budget } = subject.context
  const parameters: { [key: string]: unknown } = {}
  for (const enricher of enrichers) {
    try {
      const resting = budget.rest()
      if (resting !== undefined) await resting
      const added = await enricher.enrich(subject)
      budget.spend(roughSize(added))
      Object.assign(parameters, added)
    } catch (err) {
      if (answerTooLarge.is(err) || documentsTooLarge.is(err)) throw err
      const fields = { event: 'enricher.failed', enricher: enricher.name, subject: subjectId, err }
      subject.context.services.log.warn(fields, 'an enricher failed and was left out of the answer')
    }
  }
  return parameters
}
