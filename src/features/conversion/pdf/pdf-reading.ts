import { readFile } from 'node:fs/promises'
import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional } from '../../../automation/parameter.ts'
import { applyChanges, saveParameter } from '../../../automation/unsaved-changes.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import { readSentChanges } from '../../../automation/values/read-sent-properties.ts'
import type { SentProperties } from '../../../automation/values/words.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { ConversionParameters } from '../../../core/conversion/converter.ts'
import { conversionSource } from '../../../core/conversion/run-conversion.ts'
import type { Document } from '../../../model/document.ts'
import { actingName } from '../../../model/rights/principal.ts'
import { fileAt, requirePdf } from '../converted-file.ts'
import { given } from './edited-pdf.ts'

export const unknownPdfLabel = defineProblem(
  'unknownPdfLabel',
  'invalid',
  (of: { label: string; known: readonly string[] }) =>
    `A PDF has no ${of.label.slice(0, 100)}. Name one of ${of.known.join(', ')}.`,
)

export const linkTypeNeeded = defineProblem(
  'linkTypeNeeded',
  'invalid',
  (of: { types: readonly string[] }) => `Give the parameter type, one of ${of.types.join(', ')}, or getAll.`,
)

export const targetPlaceNeeded = defineProblem(
  'targetPlaceNeeded',
  'invalid',
  (_: object) => 'Give the parameter targetxpath: the property that the text is written to.',
)

/** What a converter makes of the PDF, as text that is looked at and not kept. */
function readAs(
  { services, session: { repository, principal }, host }: OperationContext,
  file: FlowingBlob,
  converter: string,
  parameters: ConversionParameters = {},
): Promise<string> {
  const source = conversionSource(repository, requirePdf(file))
  const use = async ([made]: readonly { readonly path: string }[]) => (made === undefined ? '' : readFile(made.path, 'utf8'))
  return services.conversions.convertFor(source, { converter }, use, {
    parameters,
    user: actingName(principal),
    signal: host.signal,
  })
}

/** Writes what was read from the file of a document into its properties, or leaves that to a later step. */
async function written(context: OperationContext, document: Document, sent: SentProperties, save: boolean): Promise<Document> {
  const changes = await readSentChanges(context, document, sent)
  return context.write((session) => applyChanges(context.within(session), document, changes, { save }))
}

export const extractInfo = defineOperation({
  id: 'PDF.ExtractInfo',
  category: 'Document',
  description: 'Writes what the PDF says of itself into properties of the document.',
  effect: 'waits',
  params: {
    xpath: defaulted('string', 'file:content', { description: 'The place of the file in the document' }),
    properties: optional('properties', { description: 'For each property what goes there: Title, Author, Page count' }),
    save: saveParameter,
  },
  run: ({ each }) => [
    each('document', 'document', async (document, { context, params: { xpath, properties = {}, save } }) => {
      const file = await fileAt(context, document, xpath)
      const facts = new Map([
        ['File name', file.blob.name ?? ''],
        ...Object.entries(JSON.parse(await readAs(context, file, 'pdfInfo')) as { readonly [label: string]: string }),
      ])
      const sent = Object.entries(properties).map(([place, label]) => {
        const fact = facts.get(String(label))
        if (fact === undefined) throw unknownPdfLabel({ label: String(label), known: [...facts.keys()] })
        return [place, fact === '' ? null : fact] as const
      })
      return written(context, document, Object.fromEntries(sent), save)
    }),
  ],
})

const linkTypes = ['Launch', 'Remote Go To', 'URI'] as const

interface FoundLink {
  readonly page: number
  readonly subType: string
  readonly text: string
  readonly link: string
}

export const extractLinks = defineOperation({
  id: 'PDF.ExtractLinks',
  category: 'Conversion',
  description: 'Gives the links of the PDF that lead out of it, as JSON.',
  effect: 'waits',
  params: {
    type: optional('string', { values: linkTypes, widget: 'Option', description: 'Only such links' }),
    getAll: defaulted('boolean', false, { description: 'Links of all types' }),
  },
  run: ({ on }) => [
    on('blob', 'string', async (file, { context, params: { type, getAll } }) => {
      const wanted = linkTypes.find((one) => one === type)
      if (!getAll && wanted === undefined) throw linkTypeNeeded({ types: linkTypes })
      const links = JSON.parse(await readAs(context, file, 'pdfLinks')) as readonly FoundLink[]
      return JSON.stringify(getAll ? links : links.filter(({ subType }) => subType === wanted))
    }),
  ],
})

export const extractText = defineOperation({
  id: 'PDF.ExtractText',
  category: 'Document',
  description: 'Writes the text of the PDF, or the first line with some words, into a property of the document.',
  effect: 'waits',
  params: {
    pdfxpath: defaulted('string', 'file:content', { description: 'The place of the file in the document' }),
    save: defaulted('boolean', false, { description: 'Without it a later step saves the document' }),
    targetxpath: optional('string', { description: 'The property that is written' }),
    patterntofind: optional('string', { description: 'Words: only the first line that has them is written' }),
    removepatternfromresult: defaulted('boolean', false, { description: 'The line is written without these words' }),
    password: optional('string', { description: 'What opens the file, where it has a password' }),
  },
  run: ({ each }) => [
    each('document', 'document', async (document, { context, params }) => {
      const { targetxpath: target, patterntofind: words, removepatternfromresult: isRemoved, password } = params
      if (target === undefined || target === '') throw targetPlaceNeeded({})
      const file = await fileAt(context, document, params.pdfxpath)
      const maxCharacters = context.budget.limits.valueBytes
      const text = await readAs(context, file, 'pdf2text', given({ password, maxCharacters }))
      context.budget.make(text.length)
      const shown = words === undefined || words === '' ? text : findLine(text, words, isRemoved)
      return written(context, document, { [target]: shown ?? null }, params.save)
    }),
  ],
})

/** The first line of a text that has the words. */
export function findLine(text: string, words: string, isRemoved: boolean): string | undefined {
  const line = text.split(/[\n\f]/).find((one) => one.includes(words))
  return (isRemoved ? line?.replace(words, '') : line)?.trim()
}
