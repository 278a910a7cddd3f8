import { tooManyMembers, usualJsonBounds } from '../../base/json-bounds.ts'
import { defineProblem } from '../../base/problem.ts'
import type { AutomationRules } from '../automation-rules.ts'

export const lineWithoutValue = defineProblem(
  'lineWithoutValue',
  'invalid',
  (of: { line: string }) => `Each line of properties must be written as name=value, which this one is not: ${of.line}`,
)

export const propertiesTextTooLong = defineProblem(
  'propertiesTextTooLong',
  'tooLarge',
  (of: { maxCharacters: number }) =>
    `Properties that are written as text have more than the ${of.maxCharacters} characters allowed. Send them as a JSON object.`,
)

const { maxMembers } = usualJsonBounds
const maxCharacters = 5_000_000

type LineRules = Pick<AutomationRules, 'trimsPropertyValues' | 'joinsPropertyLines'>

/** Properties as a text, one `name=value` a line (contract: operations 1.6). @throws lineWithoutValue, propertiesTextTooLong, tooManyMembers */
export function parsePropertiesText(text: string, rules: LineRules): { readonly [name: string]: string } {
  return Object.fromEntries(everyDefinition(text, rules).map((line) => parseLine(line, rules)))
}

function parseLine(line: string, { trimsPropertyValues }: LineRules): readonly [name: string, value: string] {
  const split = line.indexOf('=')
  if (split < 0) throw lineWithoutValue({ line })
  const value = line.slice(split + 1)
  return [line.slice(0, split).trim(), trimsPropertyValues ? value.trim() : value]
}

/** Lines that define something, with those that go on after a backslash. Blank lines and remarks stand between, not within. */
function everyDefinition(text: string, { joinsPropertyLines }: LineRules): readonly string[] {
  if (text.length > maxCharacters) throw propertiesTextTooLong({ maxCharacters })
  const definitions: string[] = []
  let goesOn = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (!goesOn && (line.trim() === '' || line.startsWith('#'))) continue
    const isOpen = joinsPropertyLines && line.endsWith('\\')
    const part = isOpen ? line.slice(0, -1) : line
    if (definitions.length > maxMembers) throw tooManyMembers({ maxMembers })
    if (goesOn) definitions.push(`${definitions.pop()}\n${part}`)
    else definitions.push(part)
    goesOn = isOpen
  }
  return definitions
}
