import type { ConversionTarget } from '../../core/conversion/conversions.ts'
import { nothingConverted } from '../../core/conversion/run-conversion.ts'
import type { Session } from '../../core/session.ts'
import { actingName } from '../../model/rights/principal.ts'
import { adapterMethod, defineAdapter } from '../../rest/adapter.ts'
import { answerDownload } from '../../rest/download/download.ts'
import { downloadQuery } from '../../rest/download/download-conditions.ts'
import { type Download, downloadRefused, mayDownload } from '../../rest/download/download-rule.ts'
import { bytesAnswer, jsonAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { readFields } from '../../rest/payload/declared-input.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { isPostedForm, readUrlEncodedForm } from '../../rest/request/url-encoded-form.ts'
import type { BlobResource } from '../../rest/resource.ts'
import { parametersIn, readSource, readTarget, targetFields } from './conversion-target.ts'
import { answerScheduled, scheduledSchema } from './scheduled-conversion.ts'

const formFields = Type.Object({
  ...targetFields.properties,
  async: Type.Text({ description: '`true` answers at once, and the result is fetched later' }),
})

// Names and types are all that a form says.
const maxFormBytes = 16 * 1024

/** A file in another format: `/@convert?format=pdf`, of a document its main one (contract: blobs 6.1). */
export const convertAdapter = defineAdapter({
  name: 'convert',
  summary: 'The file, or the main file of the document, converted; say one of converter, type and format',
  operationId: 'convert',
  accepts: ['document', 'blob'],
  query: Type.Object({ ...targetFields.properties, ...downloadQuery.properties }),
  yields: 'blob',
  answers: {
    200: bytesAnswer('the result'),
    400: 'not exactly one of the parameters, nothing to convert, or no converter that is there takes the file',
    404: 'no such converter, or nothing came out',
    413: 'the file is too much for conversions',
    422: 'the file is damaged, or not what its type says',
    500: 'the conversion failed, or took too long',
  },
  async resolve({ session, exchange, resource, sent }) {
    const source = readSource(session, resource)
    return convertedResource(exchange, session, source, readTarget(sent.query))
  },
  methods: {
    POST: adapterMethod({
      summary: 'Convert the file, with the target in a form; `async=true` answers before it is done',
      streamsBody: true,
      form: { mediaType: 'application/x-www-form-urlencoded', fields: formFields },
      answers: {
        200: bytesAnswer('the result'),
        202: jsonAnswer(scheduledSchema, 'it will be converted; `Location` is where to ask how far that is'),
        400: 'not exactly one of the parameters, or nothing to convert',
        404: 'no such converter, or nothing came out',
      },
      async handle({ exchange, resolve }) {
        const { request } = exchange
        const form = isPostedForm(request) ? await readUrlEncodedForm(request, { maxBytes: maxFormBytes }) : request.query
        const fields = readFields(formFields, form)
        return exchange.read(async (session) => {
          const source = readSource(session, await resolve(session))
          const target = readTarget(fields)
          if (fields.async?.toLowerCase() === 'true') {
            await requireDownload(exchange, session, source)
            return answerScheduled(exchange, { source, target, parameters: parametersIn(request.query) })
          }
          return answerDownload(exchange, session, await convertedResource(exchange, session, source, target))
        })
      },
    }),
  },
})

/** Who may not have the file may not have another form of it either. @throws downloadRefused */
async function requireDownload({ services }: Exchange, session: Session, source: Download): Promise<void> {
  if (!(await mayDownload(services.downloads.rules, session, source))) throw downloadRefused({})
}

async function convertedResource(
  exchange: Exchange,
  session: Session,
  source: Download,
  target: ConversionTarget,
): Promise<BlobResource> {
  await requireDownload(exchange, session, source)
  const { services, request } = exchange
  const [blob] = await services.conversions.convert({
    repository: session.repository,
    source,
    target,
    parameters: parametersIn(request.query),
    user: actingName(session.principal),
    signal: request.signal,
  })
  if (blob === undefined) throw nothingConverted({ converter: 'converter' in target ? target.converter : target.type })
  const { document, xpath, reason, rendition } = source
  return {
    kind: 'blob',
    blob,
    reason,
    isUndated: true,
    ...(document && { document }),
    ...(xpath !== undefined && { xpath }),
    ...(rendition !== undefined && { rendition }),
  }
}
