import { findJson, isJsonObject, type Json } from '../base/json.ts'
import { unreachable } from '../base/unreachable.ts'
import type { Pattern, SettingDeclaration, SettingObject } from './define-settings.ts'
import { parseDuration } from './duration.ts'

const bytesIn: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** Reads `4 GiB`, `50MB`, `1.5 GB` or a plain number of bytes. */
function parseByteSize(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim())
  const factor = bytesIn[found?.[2]?.toLowerCase() ?? '']
  if (found === null || factor === undefined) return undefined
  const bytes = Math.round(Number(found[1]) * factor)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

export type ParsedSetting = string | number | boolean | readonly string[] | SettingObject | readonly SettingObject[]

/** Reads what was given for a setting: text from outside, or a value of its own type from `quire.config.ts`. */
export function parseSettingValue(declaration: SettingDeclaration, given: unknown): ParsedSetting | undefined {
  if (declaration.type === 'list') return parseList(given, declaration.always ?? [], declaration.pattern)
  if (declaration.type === 'json') return parseObject(given)
  if (declaration.type === 'jsonList') return parseObjects(given)
  const text = asText(given)
  return text === undefined ? undefined : parseText(declaration, text)
}

function parseText(
  declaration: Exclude<SettingDeclaration, { type: 'list' | 'json' | 'jsonList' }>,
  text: string,
): ParsedSetting | undefined {
  switch (declaration.type) {
    case 'string':
      return accepts(declaration.pattern, text) ? text : undefined
    case 'secret':
      return text
    case 'integer':
      return within(parseInteger(text), declaration.min, declaration.max)
    case 'boolean':
      return parseBoolean(text)
    case 'bytes':
      return within(parseByteSize(text), sizeOf(declaration.min), sizeOf(declaration.max))
    case 'duration':
      return within(parseDuration(text, declaration.bareUnit), durationOf(declaration.min), durationOf(declaration.max))
    case 'choice':
      return declaration.choices.find((choice) => choice.toLowerCase() === text.toLowerCase())
    case 'url':
      return isUrl(text, declaration.protocols) ? text : undefined
    default:
      return unreachable(declaration)
  }
}

function asText(given: unknown): string | undefined {
  if (typeof given === 'string') return given
  return typeof given === 'number' || typeof given === 'boolean' ? String(given) : undefined
}

function parseList(given: unknown, always: readonly string[], pattern: Pattern | undefined): readonly string[] | undefined {
  const entries = typeof given === 'string' ? given.split(',').map((entry) => entry.trim()) : given
  if (!Array.isArray(entries)) return undefined
  const texts = entries.filter((entry) => entry !== '')
  if (!texts.every((entry) => typeof entry === 'string' && accepts(pattern, entry))) return undefined
  return [...new Set([...always, ...texts])]
}

function parseObject(given: unknown): SettingObject | undefined {
  const json = parseJson(given)
  return isJsonObject(json) ? json : undefined
}

function parseObjects(given: unknown): readonly SettingObject[] | undefined {
  const json = parseJson(given)
  return Array.isArray(json) && json.every(isJsonObject) ? json : undefined
}

/** By way of its text, so that what a configuration file makes is held to what JSON has. */
function parseJson(given: unknown): Json | undefined {
  return findJson(typeof given === 'string' ? given : (stringify(given) ?? ''))
}

function stringify(given: unknown): string | undefined {
  try {
    return JSON.stringify(given)
  } catch {
    return undefined // it goes in a circle
  }
}

function parseInteger(text: string): number | undefined {
  const number = Number(text)
  return /^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : undefined
}

function parseBoolean(text: string): boolean | undefined {
  const lowerCase = text.toLowerCase()
  return lowerCase === 'true' ? true : lowerCase === 'false' ? false : undefined
}

function sizeOf(bound: string | undefined): number | undefined {
  return bound === undefined ? undefined : parseByteSize(bound)
}

function durationOf(bound: string | undefined): number | undefined {
  return bound === undefined ? undefined : parseDuration(bound)
}

function within(number: number | undefined, min = -Infinity, max = Infinity): number | undefined {
  return number !== undefined && number >= min && number <= max ? number : undefined
}

function accepts(pattern: Pattern | undefined, text: string): boolean {
  return pattern === undefined || pattern.matches.test(text)
}

function isUrl(text: string, protocols: readonly string[] = ['http', 'https']): boolean {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol.slice(0, -1)) && text.startsWith(`${url.protocol}//`)
}
