import { isWritable } from '../../base/iso-date.ts'
import { isJsonObject, type Json, parseJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { type OfficeElement, parseXml } from './filling/xml-tree.ts'
import { maxTemplateData } from './template-model.ts'

export const wrongTemplateData = defineProblem(
  'wrongTemplateData',
  'invalid',
  (of: { what: string }) => `The parameters of the template (templateData) are wrong: ${of.what}.`,
)

const kinds = ['String', 'Boolean', 'Date', 'source', 'picture', 'content', 'List', 'Map'] as const
export type ParameterKind = (typeof kinds)[number]

/** A parameter of a template, for its own documents or as one of them has it. */
export interface TemplateParameter {
  readonly name: string
  readonly kind: ParameterKind
  /** The value, or the property that has it; null where none was given. */
  readonly value: string | null
  /** Documents cannot have another value. */
  readonly isFixed: boolean
  /** Whatever shows it is repeated for each of its items. */
  readonly isLooped: boolean
  /** Of a list or a map. */
  readonly members: readonly TemplateParameter[]
}

const [maxParameters, deepest] = [500, 5]
const usableName = /^[A-Za-z_]\w{0,99}$/

/** As clients write parameters, in XML, or shorter in JSON: `{"customer": "Miller", "isPaid": true}`. @throws wrongTemplateData */
export async function parseTemplateData(written: string): Promise<readonly TemplateParameter[]> {
  const text = written.trim()
  if (text.length > maxTemplateData) throw wrong(`they are longer than ${maxTemplateData} characters`)
  if (text === '') return []
  const parameters = text.startsWith('<') ? await parametersInXml(text) : parametersInJson(text)
  const names = new Set(parameters.map(({ name }) => name))
  if (names.size < parameters.length) throw wrong('two have the same name')
  return parameters
}

function wrong(what: string, cause?: unknown): Error {
  return wrongTemplateData({ what }, { cause })
}

async function parametersInXml(text: string): Promise<readonly TemplateParameter[]> {
  const budget = { elements: 2 * maxParameters, rest: () => undefined }
  const root = await parseXml(text, 'templateData', budget).catch((cause) => {
    throw wrong(`they are no XML that can be read, or more than ${maxParameters}`, cause)
  })
  return fieldsIn(root, 1)
}

function localName({ name }: OfficeElement): string {
  return name.slice(name.indexOf(':') + 1)
}

function fieldsIn({ children }: OfficeElement, depth: number): readonly TemplateParameter[] {
  if (depth > deepest) throw wrong(`they are nested more than ${deepest} levels deep`)
  return children.flatMap((child) => {
    if (child.kind !== 'element') return []
    // Some editors put what they wrote into an element of the same name once more.
    if (localName(child) === 'templateParams') return fieldsIn(child, depth + 1)
    return localName(child) === 'field' ? [parameterIn(child, depth)] : []
  })
}

function parameterIn(field: OfficeElement, depth: number): TemplateParameter {
  const { name = '', type = 'String', value, source, readonly, autoloop } = field.attributes
  const kind = requireKind(name, type)
  const isSource = kind === 'source' || kind === 'picture' || kind === 'content'
  return requireSound({
    name,
    kind,
    value: (isSource ? source : value) ?? null,
    isFixed: readonly === 'true',
    isLooped: autoloop === 'true',
    members: kind === 'List' || kind === 'Map' ? fieldsIn(field, depth + 1) : [],
  })
}

function requireKind(name: string, type: string): ParameterKind {
  const kind = kinds.find((one) => one.toLowerCase() === type.toLowerCase())
  if (kind === undefined) throw wrong(`${name.slice(0, 100)} is ${type.slice(0, 100)}, which is none of ${kinds.join(', ')}`)
  return kind
}

/** Items of a list have no name that anybody asks for. */
function requireSound(parameter: TemplateParameter): TemplateParameter {
  const { name, kind, value } = parameter
  if (name !== '' && !usableName.test(name)) throw wrong(`${name.slice(0, 100)} is no name: write letters, digits and _`)
  if (kind === 'Date' && value !== null && value !== '' && findDate(value) === undefined)
    throw wrong(`${name} is no date, such as 2031-05-04`)
  return parameter
}

/** `2031-05-04 08:30:00.000`, as editors write it, or ISO 8601; in UTC. */
export function findDate(written: string): string | undefined {
  const [, day = '', time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?(Z|[+-]\d\d:\d\d)?$/.exec(written.trim()) ?? []
  const date = new Date(`${day}T${time}${zone}`)
  return isWritable(date) ? date.toISOString() : undefined
}

function parametersInJson(text: string): readonly TemplateParameter[] {
  const json = readJson(text)
  if (!isJsonObject(json)) throw wrong('write XML, or an object with a value for each name')
  return membersOf(json, 1)
}

function readJson(text: string): Json {
  try {
    return parseJson(text)
  } catch (cause) {
    throw wrong('they are neither XML nor JSON', cause)
  }
}

function membersOf(json: { readonly [name: string]: Json }, depth: number): readonly TemplateParameter[] {
  const entries = Object.entries(json)
  if (entries.length > maxParameters) throw wrong(`there are more than ${maxParameters}`)
  if (depth > deepest) throw wrong(`they are nested more than ${deepest} levels deep`)
  return entries.map(([name, value]) => parameterOf(name, value, depth))
}

function parameterOf(name: string, json: Json, depth: number): TemplateParameter {
  const plain = { name, isFixed: false, isLooped: false, members: [] }
  if (Array.isArray(json)) {
    if (json.length > maxParameters) throw wrong(`${name} has more than ${maxParameters} items`)
    if (depth >= deepest) throw wrong(`they are nested more than ${deepest} levels deep`)
    return requireSound({ ...plain, kind: 'List', value: null, members: json.map((item) => parameterOf('', item, depth + 1)) })
  }
  if (isJsonObject(json)) return requireSound({ ...plain, kind: 'Map', value: null, members: membersOf(json, depth + 1) })
  const kind = typeof json === 'boolean' ? 'Boolean' : 'String'
  return requireSound({ ...plain, kind, value: json === null ? null : String(json) })
}

/** Whether somebody has said what it is. */
function isSet({ kind, value, members }: TemplateParameter): boolean {
  return kind === 'List' || kind === 'Map' ? members.length > 0 : value !== null && value !== ''
}

/**
 * The parameters of a template as they are for a document: what the document says counts, except where the template does not allow another
 * value. Other names than those of the template are known where it allows that.
 */
export function parametersFor(
  { parameters, allowsOverride }: { readonly parameters: readonly TemplateParameter[]; readonly allowsOverride: boolean },
  own: readonly TemplateParameter[],
): readonly TemplateParameter[] {
  const isOpen = (parameter: TemplateParameter) => !parameter.isFixed && (allowsOverride || !isSet(parameter))
  const declared = parameters.map((parameter) => {
    const said = own.find(({ name }) => name === parameter.name)
    return said !== undefined && isOpen(parameter) ? { ...said, isLooped: said.isLooped || parameter.isLooped } : parameter
  })
  const names = new Set(parameters.map(({ name }) => name))
  return allowsOverride ? [...declared, ...own.filter(({ name }) => !names.has(name))] : declared
}
