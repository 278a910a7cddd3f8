import type { OperationContext, OperationHost, PropertyTarget } from '../../automation/context.ts'
import { blobOfDocument, type FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { jsonOfValue, parsePropertiesText } from '../../automation/values/read-sent-properties.ts'
import { findRelaxedJson } from '../../automation/values/relaxed-json.ts'
import type { Value } from '../../automation/values/value.ts'
import { isJsonObject, type Json, stringifyJson } from '../../base/json.ts'
import { Problem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import { isScalar } from '../../model/field.ts'
import { coerceProperty, type JsonObject } from '../../model/properties/coercion.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { formatXpath, type Xpath } from '../../model/properties/xpath.ts'
import { mayTake } from '../download/download-rule.ts'
import { leaveToTell } from '../download/taken-elsewhere.ts'
import { readHeaders } from '../payload/declared-input.ts'
import { parseBlobForm } from '../payload/sent-blob-forms.ts'
import {
  blobNotResolvable,
  type EarlierBlobs,
  noEarlierBlobs,
  noSentBlobs,
  readLinked,
  requireFewInlineFiles,
  resolveBlobs,
  type SentBlobs,
  type SentLink,
  type StagedBlobs,
} from '../payload/sent-blobs.ts'
import { readOnlyProperty, readProperties } from '../payload/sent-properties.ts'
import { findSentReference } from '../payload/sent-reference.ts'
import { findLinked, leadsElsewhere, stageSentBlobs } from '../payload/stage-sent-blobs.ts'
import { watchUnknownProperties } from '../payload/unknown-properties.ts'
import { languageHeaders } from '../request/declared-headers.ts'
import type { Sender } from '../request/exchange.ts'

/** What operations get to know of the request that called them. Files that were staged ahead are neither stored nor looked up again. */
export function createOperationHost(sender: Sender, earlier: EarlierBlobs = noEarlierBlobs()): OperationHost {
  return new RequestHost(sender, earlier)
}

type Taking = Pick<OperationContext, 'session' | 'writeAtEnd'>

// What not every operation asks for (address, signal, languages) is made when it is asked for: a signal alone made a call that does
// nothing take twice as long, most of it in the collector.
class RequestHost implements OperationHost {
  readonly #sender: Sender
  readonly #earlier: EarlierBlobs
  /** Of unknown properties: a call may send a hundred documents. */
  #hasWarned = false

  constructor(sender: Sender, earlier: EarlierBlobs) {
    this.#sender = sender
    this.#earlier = earlier
  }

  get baseUrl(): string {
    return this.#sender.request.baseUrl
  }

  get signal(): AbortSignal {
    return this.#sender.request.signal
  }

  get locales(): readonly string[] {
    return readHeaders(languageHeaders, this)['Accept-Language'] ?? []
  }

  get headers(): OperationHost['headers'] {
    return this.#sender.request.headers
  }

  async readProperties(session: Session, { shape, current }: PropertyTarget, sent: JsonObject): Promise<Properties> {
    const { model, principal } = session
    this.#hasWarned ||= watchUnknownProperties(sent, model, shape, this.#sender)
    const blobs = await resolveBlobs(session, await this.#stage(sent), { shape })
    return readProperties(sent, { model, shape, principal, current, blobs, emptyStringIsNull: false })
  }

  async readValue(session: Session, xpath: Xpath, current: PropertyValue, json: Json): Promise<PropertyValue> {
    const { field, name, isSecured } = xpath.property
    if (isSecured && !session.principal.isAdministrator) throw readOnlyProperty({ field: name })
    const blobs = await this.#blobsIn(session, xpath, json)
    const property = { ...xpath.property, name: formatXpath(xpath), field: { ...field, type: xpath.type } }
    return coerceProperty(
      property,
      json,
      {
        blob: (object) => blobs.find(object),
        reference: (object, resolver) => findSentReference(object, resolver, { value: current, steps: [] }),
        text: (object) => blobs.findText(object),
        emptyStringIsNull: false,
      },
      current,
    )
  }

  async findBlob(context: Taking, json: JsonObject): Promise<FlowingBlob | undefined> {
    const form = parseBlobForm(json, this.baseUrl)
    if (form.kind === 'link' && leadsElsewhere(this.#sender, form.link)) return this.#takeElsewhere(context, form)
    const { stored, links, rules } = await this.#stage({ 'file:content': json })
    const blob = stored.get(json)
    if (blob !== undefined) return { blob }
    const [link] = links
    if (link === undefined) return undefined
    const { document, ...found } = await readLinked(context.session, link, rules, undefined)
    return blobOfDocument(document, found)
  }

  /** A file of another repository: of no document here, whose rights and listeners could be asked when it is sent. */
  async #takeElsewhere(context: Taking, sent: Pick<SentLink, 'link' | 'url'>): Promise<FlowingBlob> {
    const found = await findLinked(this.#sender, sent)
    if (found === undefined) throw blobNotResolvable(sent)
    await leaveToTell(context, found.document, found)
    return { blob: found.blob }
  }

  mayDownload(session: Session, { source, ...content }: FlowingBlob): Promise<boolean> {
    const { rules } = this.#sender.services.downloads
    return mayTake(rules, session, { ...content, ...source, reason: 'download' })
  }

  #stage(properties: JsonObject): Promise<StagedBlobs> {
    return stageSentBlobs(this.#sender, properties, this.#earlier)
  }

  /** The blobs of JSON that is meant for one place: put where it belongs in its property, where they are looked for. */
  async #blobsIn(session: Session, { property, steps, type }: Xpath, json: Json): Promise<SentBlobs> {
    if (isScalar(type) && !isJsonObject(json)) return noSentBlobs
    const wrapped = steps.reduceRight<Json>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), json)
    const staged = await this.#stage({ [property.name]: wrapped })
    return resolveBlobs(session, staged, { shape: { properties: new Set([property.name]) } })
  }
}

/** Where a request may describe files. */
export interface FilesDescribed {
  readonly params: JsonObject
  readonly context: JsonObject
  readonly input: Value
}

/**
 * Stores and looks up the files that a call describes, wherever in it, before its transaction, which waits for nothing but the
 * database. Which of them an operation wants is not known yet; what is not referred to in the end is collected later.
 */
export function stageAhead(sender: Sender, { params, context, input }: FilesDescribed): EarlierBlobs | Promise<EarlierBlobs> {
  const described: JsonObject[] = []
  for (const sent of [params, context, jsonOfValue(input) ?? null]) gatherDescribed(sender, sent, described)
  return described.length === 0 ? noEarlierBlobs() : stageAll(sender, described)
}

/** @throws tooManyInlineFiles before any of them is stored */
async function stageAll(sender: Sender, described: readonly JsonObject[]): Promise<EarlierBlobs> {
  const { baseUrl } = sender.request
  const files = described.flatMap(({ 'file:content': json }) => (isJsonObject(json) ? [json] : []))
  const inline = files.filter((json) => parseBlobForm(json, baseUrl).kind === 'text')
  requireFewInlineFiles(new Set(inline.map(stringifyJson)).size)
  const earlier = noEarlierBlobs()
  for (const properties of described) await stageSentBlobs(sender, properties, earlier)
  return earlier
}

/**
 * Gathers properties that hold each object that may stand for a file: under its own name where that is one, else where any file can
 * be. Into a list, as every call is gone through and few describe a file: generators made one that does nothing a tenth slower.
 */
function gatherDescribed(sender: Sender, json: Json, described: JsonObject[]): void {
  if (typeof json === 'string') {
    for (const inside of jsonIn(sender, json)) gatherDescribed(sender, inside, described)
  } else if (Array.isArray(json)) {
    for (const item of json) gatherDescribed(sender, item, described)
  } else if (isJsonObject(json)) {
    if (mayStandForFile(sender, json)) described.push({ 'file:content': json })
    for (const [name, member] of Object.entries(json)) {
      if (isJsonObject(member) && mayBeText(sender, name)) described.push({ [name]: member })
      gatherDescribed(sender, member, described)
    }
  }
}

const fileKeys = ['upload-batch', 'data', 'content'] as const

/** A key is not looked up ahead: it is refused to most, and in the words of the operation that wanted it. */
function mayStandForFile({ request }: Sender, json: JsonObject): boolean {
  if (!fileKeys.some((key) => key in json)) return false
  const { kind } = parseBlobForm(json, request.baseUrl)
  return kind === 'text' || kind === 'upload'
}

/** A property of text takes what is in a file. */
function mayBeText({ repository }: Sender, name: string): boolean {
  return repository.model.findProperty(name)?.field.type.kind === 'string'
}

const mayContainFiles = new RegExp(fileKeys.join('|'))
const isStructure = /^\s*[[{]/

/** JSON in a text: all of it, or the values of `name=value` lines. */
function jsonIn({ services }: Sender, text: string): readonly Json[] {
  if (!mayContainFiles.test(text)) return []
  const values = isStructure.test(text) ? [text] : Object.values(findProperties(services.automation, text))
  return values.filter((value) => isStructure.test(value)).flatMap((value) => [findRelaxedJson(value) ?? null])
}

/** What cannot be read is told of by the operation that wants it. */
function findProperties(rules: Parameters<typeof parsePropertiesText>[1], text: string): { readonly [name: string]: string } {
  try {
    return parsePropertiesText(text, rules)
  } catch (error) {
    if (error instanceof Problem) return {}
    throw error
  }
}
