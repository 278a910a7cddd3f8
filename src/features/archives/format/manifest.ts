import { isJsonObject, type Json, parseJson, stringifyJson } from '../../../base/json.ts'
import { archiveDamaged, archiveTooNew } from './archive-problems.ts'

export const manifestName = 'manifest.json'

/** Files of lines, each of which holds one kind of thing. */
export const partNames = { documents: 'documents.jsonl', people: 'directories.jsonl', audit: 'audit.jsonl' } as const
export type PartName = keyof typeof partNames

/** What a file of lines is known by. */
export interface ArchivePartFacts {
  readonly lines: number
  readonly bytes: number
  readonly sha256: string
}

/** What is in an archive. It is written when all else is, so that an archive without it is none. */
export interface Manifest {
  /** The version of the program that wrote it. */
  readonly program: string
  /** All that was acknowledged before is in it. */
  readonly made: string
  readonly repository: string
  /** The document that the tree begins with; `/` is the whole repository. */
  readonly root: { readonly uid: string; readonly path: string }
  readonly parts: { readonly [Name in PartName]?: ArchivePartFacts }
  readonly files: { readonly count: number; readonly bytes: number; readonly missing: readonly string[] }
}

const format = 'quire-archive'
/** To be raised when older programs would read an archive wrongly. */
export const formatVersion = 1

export function manifestText(manifest: Manifest): string {
  const { parts, ...facts } = manifest
  const named = Object.entries(parts).map(([name, part]) => [partNames[name as PartName], part])
  return `${stringifyJson({ format, version: formatVersion, ...facts, parts: Object.fromEntries(named) })}\n`
}

/** Undefined where the text is that of something else. @throws archiveTooNew, archiveDamaged */
export function findManifest(text: string): Manifest | undefined {
  const json = parsed(text)
  if (!isJsonObject(json) || json['format'] !== format) return undefined
  const version = Number(json['version'])
  if (version > formatVersion) throw archiveTooNew({ program: String(json['program']), version, known: formatVersion })
  const { root, files } = json
  if (!isJsonObject(root) || !isJsonObject(files)) throw damaged('root and files are missing')
  return {
    program: textIn(json, 'program'),
    made: textIn(json, 'made'),
    repository: textIn(json, 'repository'),
    root: { uid: textIn(root, 'uid'), path: textIn(root, 'path') },
    parts: partsIn(json['parts']),
    files: { count: countIn(files, 'count'), bytes: countIn(files, 'bytes'), missing: textsIn(files['missing']) },
  }
}

type JsonObject = { readonly [name: string]: Json }

const damaged = (reason: string) => archiveDamaged({ place: manifestName, reason })

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function partsIn(json: Json | undefined): Manifest['parts'] {
  const parts = Object.entries(partNames).flatMap(([name, file]) => {
    const facts = isJsonObject(json) ? json[file] : undefined
    if (!isJsonObject(facts)) return []
    return [[name, { lines: countIn(facts, 'lines'), bytes: countIn(facts, 'bytes'), sha256: textIn(facts, 'sha256') }] as const]
  })
  if (!parts.some(([name]) => name === 'documents')) throw damaged(`it names no ${partNames.documents}`)
  return Object.fromEntries(parts)
}

function textIn(json: JsonObject, name: string): string {
  const text = json[name]
  if (typeof text !== 'string') throw damaged(`${name} is no text`)
  return text
}

function countIn(json: JsonObject, name: string): number {
  const count = json[name]
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) throw damaged(`${name} is no number of things`)
  return count
}

function textsIn(json: Json | undefined): readonly string[] {
  return Array.isArray(json) ? json.filter((one) => typeof one === 'string') : []
}
