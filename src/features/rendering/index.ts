import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OperationContext } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { defaulted, required } from '../../automation/parameter.ts'
import { type FlowingBlob, madeBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { renderPieces } from './render-template.ts'
import { renderingSettings } from './settings.ts'
import { parseTextTemplate, templateLanguages } from './text-template.ts'

export const inlineTemplateClosed = defineProblem(
  'inlineTemplateClosed',
  'forbidden',
  (_: object) => 'Only administrators and chains may bring a template of their own. Name one of the server: template:NAME.',
)

export const unknownTextTemplate = defineProblem(
  'unknownTextTemplate',
  'invalid',
  (of: { name: string }) => `There is no template ${of.name.slice(0, 100)}. Put its file into --render-templates.`,
)

export const unknownTemplateLanguage = defineProblem(
  'unknownTemplateLanguage',
  'invalid',
  (of: { type: string }) => `type must be one of ${templateLanguages.join(', ')}, not ${of.type.slice(0, 100)}.`,
)

export const unknownCharset = defineProblem(
  'unknownCharset',
  'invalid',
  (of: { charset: string }) => `charset must be UTF-8 or ISO-8859-1, not ${of.charset.slice(0, 100)}.`,
)

export const templateTooLong = defineProblem(
  'templateTooLong',
  'tooLarge',
  (of: { max: number }) => `A template has at most ${of.max} characters.`,
)

export { type RenderingRules, renderPieces } from './render-template.ts'
export {
  assemblePieces,
  type FoundMark,
  marksIn,
  parseTextTemplate,
  type TemplateMark,
  type TemplatePart,
  type TemplatePiece,
} from './text-template.ts'

const prefix = 'template:'
const templateName = /^[A-Za-z0-9][\w.-]{0,99}$/
const longest = 500_000

const params = {
  template: required('string', { widget: 'TemplateResource', description: 'The template, or template: and its name' }),
  type: defaulted('string', 'ftl', { values: templateLanguages, widget: 'Option', description: 'What it is written in' }),
  filename: defaulted('string', 'output.ftl', { description: 'The name of the result' }),
  mimetype: defaulted('string', 'text/xml', { description: 'The type of the result' }),
}

interface Rendering {
  readonly template: string
  readonly type: string
  readonly filename: string
  readonly mimetype: string
}

/** The input of the context as the template shows it. */
async function rendered(context: OperationContext, { template, type, filename, mimetype }: Rendering): Promise<FlowingBlob> {
  const language = templateLanguages.find((one) => one === type.trim().toLowerCase())
  if (language === undefined) throw unknownTemplateLanguage({ type })
  const source = await sourceOf(context, template)
  if (source.length > longest) throw templateTooLong({ max: longest })
  const text = await renderPieces(context, parseTextTemplate(source, language))
  return madeBlob(text, { name: filename, mimeType: mimetype })
}

/** @throws inlineTemplateClosed, unknownTextTemplate */
async function sourceOf(context: OperationContext, template: string): Promise<string> {
  if (template.startsWith(prefix)) return readTemplate(context, template.slice(prefix.length).trim())
  // What expressions ask of the server is for those who may ask anything, or have thought about it before.
  if (!context.caller.isAdministrator && context.originOf('template') !== 'declared') throw inlineTemplateClosed({})
  return template
}

/** Read for each call, so that a change of a file shows in the next one. */
async function readTemplate({ services }: OperationContext, name: string): Promise<string> {
  const { renderTemplates: folder } = services.valuesOf(renderingSettings)
  if (folder === undefined || !templateName.test(name)) throw unknownTextTemplate({ name })
  return readFile(join(folder, name), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'EISDIR') throw unknownTextTemplate({ name })
    throw cause
  })
}

const renderDocument = defineOperation({
  id: 'Render.Document',
  category: 'Conversion',
  description: 'Fills a text template with the document.',
  effect: 'waits',
  params,
  run: ({ each }) => [
    each('document', 'blob', (document, { context, params: given }) =>
      rendered(context.on({ kind: 'document', document }), given),
    ),
  ],
})

const renderFeed = defineOperation({
  id: 'Render.DocumentFeed',
  category: 'Conversion',
  description: 'Fills one text template with all documents.',
  effect: 'waits',
  params: { ...params, charset: defaulted('string', 'UTF-8', { values: ['UTF-8', 'ISO-8859-1'] }) },
  run: ({ on }) => [
    on('documents', 'blob', async (documents, { context, params: { charset, ...given } }) =>
      encoded(await rendered(context.on({ kind: 'documents', documents }), given), charset),
    ),
  ],
})

function encoded(file: FlowingBlob, charset: string): FlowingBlob {
  switch (charset.trim().toUpperCase()) {
    case 'UTF-8':
      return file
    case 'ISO-8859-1': {
      const bytes = Buffer.from(Buffer.from(file.bytes ?? []).toString('utf8'), 'latin1')
      const blob = { ...file.blob, encoding: 'ISO-8859-1', digest: hash('md5', bytes), length: bytes.length }
      return { ...file, bytes, blob }
    }
    default:
      throw unknownCharset({ charset })
  }
}

/** Texts that templates make of documents. */
export default definePlugin({
  name: 'rendering',
  requires: ['documents', 'files'],
  operations: [renderDocument, renderFeed],
  settings: renderingSettings,
})
