import type { RenderContext } from './rendering.ts'

interface NamedEnricher<Subject> {
  readonly name: string
  enrich(subject: Subject): Promise<{ readonly [key: string]: unknown }>
}

/** What the enrichers add, one after another. One that fails leaves out its part and nothing else. */
export async function writeContextParameters<Subject extends { readonly context: RenderContext }>(
  enrichers: readonly NamedEnricher<Subject>[],
  subject: Subject,
  subjectId: string,
): Promise<{ [key: string]: unknown }> {
  const parameters: { [key: string]: unknown } = {}
  for (const enricher of enrichers) {
    try {
      Object.assign(parameters, await enricher.enrich(subject))
    } catch (err) {
      const fields = { event: 'enricher.failed', enricher: enricher.name, subject: subjectId, err }
      subject.context.services.log.warn(fields, 'an enricher failed and was left out of the answer')
    }
  }
  return parameters
}
