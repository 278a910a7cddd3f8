import { parsePropertiesText } from '../../automation/values/read-sent-properties.ts'
import { findRelaxedJson } from '../../automation/values/relaxed-json.ts'
import { jsonOfValue } from '../../automation/values/sent-value.ts'
import { isJsonObject, type Json, stringifyJson } from '../../base/json.ts'
import { Problem } from '../../base/problem.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { parseBlobForm } from '../../rest/payload/sent-blob-forms.ts'
import { type EarlierBlobs, noEarlierBlobs, requireFewInlineFiles } from '../../rest/payload/sent-blobs.ts'
import { stageSentBlobs } from '../../rest/payload/stage-sent-blobs.ts'
import type { Sender } from '../../rest/request/exchange.ts'
import type { SentCall } from './sent-call.ts'

/**
 * Stores and looks up the files that a call describes, wherever in it, before its transaction, which waits for nothing but the
 * database. Which of them an operation wants is not known yet; what nobody refers to in the end is collected later.
 */
export function stageAhead(
  sender: Sender,
  { params, context, input }: Omit<SentCall, 'documentProperties'>,
): EarlierBlobs | Promise<EarlierBlobs> {
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
