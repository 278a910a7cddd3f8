import type { Enricher, EnricherSubject } from './rendering.ts'

/** What the enrichers add, one after another. One that fails leaves out its part and nothing else. */
export async function writeContextParameters(
  enrichers: readonly Enricher[],
  subject: EnricherSubject,
): Promise<{ [key: string]: unknown }> {
  const parameters: { [key: string]: unknown } = {}
  for (const enricher of enrichers) {
    try {
      Object.assign(parameters, await enricher.enrich(subject))
    } catch (err) {
      const fields = { event: 'enricher.failed', enricher: enricher.name, document: subject.document.id, err }
      subject.context.services.log.warn(fields, 'an enricher failed and was left out of the answer')
    }
  }
  return parameters
}
