import { findMimeType, findTypeOfName } from '../../base/mime-types/mime-type.ts'
import { defineProblem } from '../../base/problem.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { textsOf } from '../../model/properties/property-texts.ts'
import { everyType, templateProperties } from './template-model.ts'

export const processors = ['auto', 'XDocReportProcessor', 'Freemarker', 'Identity'] as const
/** How the file of a template becomes that of a document; `auto` goes by its type. */
export type Processor = (typeof processors)[number]

/** What a template says of itself. */
export interface TemplateSource {
  readonly document: Document
  readonly name: string
  /** Its parameters as they are written. */
  readonly data: string
  /** As it is written: what is wrong there is the business of whoever renders with it. */
  readonly processor: string
  readonly types: readonly string[]
  readonly allowsOverride: boolean
  readonly isMainContent: boolean
  /** The same, for the type of the result. */
  readonly output: string
  readonly rendition: string | undefined
}

export const unknownProcessor = defineProblem(
  'unknownProcessor',
  'invalid',
  (of: { type: string }) => `tmpl:templateType must be one of ${processors.join(', ')}, not ${of.type.slice(0, 100)}.`,
)

export const unknownOutputFormat = defineProblem(
  'unknownOutputFormat',
  'invalid',
  (of: { format: string }) =>
    `tmpl:outputFormat must be a type such as application/pdf, or an extension such as pdf, not ${of.format.slice(0, 100)}.`,
)

export function templateSourceOf(document: Document): TemplateSource {
  const { properties } = document
  const textAt = (name: string) => {
    const value = properties[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    document,
    name: textAt(templateProperties.name) || titleOf(document),
    data: textAt(templateProperties.data),
    processor: textAt(templateProperties.type),
    types: textsOf(document, templateProperties.types),
    allowsOverride: properties[templateProperties.allowsOverride] !== false,
    isMainContent: properties[templateProperties.isMainContent] === true,
    output: textAt(templateProperties.output),
    rendition: named(textAt(templateProperties.rendition)),
  }
}

/** @throws unknownProcessor */
export function parseProcessor(written: string): Processor {
  const type = written || 'auto'
  const known = processors.find((one) => one.toLowerCase() === type.toLowerCase())
  if (known === undefined) throw unknownProcessor({ type })
  return known
}

/** The type of the result; undefined where that is the one of the file. @throws unknownOutputFormat */
export function parseOutput(written: string): string | undefined {
  const format = named(written)
  if (format === undefined) return undefined
  const type = format.includes('/') ? (findMimeType(format)?.type ?? format) : findTypeOfName(`file.${format.replace(/^\./, '')}`)
  if (type === undefined || !/^[\w.+-]+\/[\w.+-]+$/.test(type)) throw unknownOutputFormat({ format })
  return type
}

/** Clients write none where they choose nothing. */
function named(written: string): string | undefined {
  return written === '' || written === 'none' ? undefined : written
}

export function isFor({ types }: TemplateSource, { type }: Document): boolean {
  return types.length === 0 || types.includes(everyType) || types.includes(type)
}
