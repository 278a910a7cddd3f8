import type { OperationHost, PropertyTarget } from '../../automation/context.ts'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import type { Json } from '../../base/json.ts'
import { isJsonObject } from '../../base/json.ts'
import type { Session } from '../../core/session.ts'
import { isScalar } from '../../model/field.ts'
import { coerceProperty, type JsonObject } from '../../model/properties/coercion.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { formatXpath, type Xpath } from '../../model/properties/xpath.ts'
import { mayDownload } from '../../rest/download/download-rule.ts'
import { readHeaders } from '../../rest/payload/declared-input.ts'
import {
  type EarlierBlobs,
  noEarlierBlobs,
  noSentBlobs,
  readLinked,
  resolveBlobs,
  type SentBlobs,
  type StagedBlobs,
} from '../../rest/payload/sent-blobs.ts'
import { readOnlyProperty, readProperties } from '../../rest/payload/sent-properties.ts'
import { findSentReference } from '../../rest/payload/sent-reference.ts'
import { stageSentBlobs } from '../../rest/payload/stage-sent-blobs.ts'
import { watchUnknownProperties } from '../../rest/payload/unknown-properties.ts'
import { languageHeaders } from '../../rest/request/declared-headers.ts'
import type { Sender } from '../../rest/request/exchange.ts'

/** What operations get to know of the request that called them. Files that were staged ahead are neither stored nor looked up again. */
export function createOperationHost(sender: Sender, earlier: EarlierBlobs = noEarlierBlobs()): OperationHost {
  return new RequestHost(sender, earlier)
}

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

  async findBlob(session: Session, json: JsonObject): Promise<FlowingBlob | undefined> {
    const { stored, links, rules } = await this.#stage({ 'file:content': json })
    const blob = stored.get(json)
    if (blob !== undefined) return { blob }
    const [link] = links
    return link && { blob: await readLinked(session, link, rules, undefined) }
  }

  mayDownload(session: Session, { source, ...content }: FlowingBlob): Promise<boolean> {
    const { rules } = this.#sender.services.downloads
    return mayDownload(rules, session, { ...content, ...source, reason: 'download' })
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
