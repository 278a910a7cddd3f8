import type { OperationBinding } from '../automation/operation.ts'
import type { Parameter, ParameterTable } from '../automation/parameter.ts'
import type { Callable, OperationRegistry } from '../automation/registry.ts'
import { stringifyJson } from '../base/json.ts'
import type { VendorIdentifiers } from '../base/vendor.ts'
import { documentAll, type OperationDocumentation } from '../features/automation/operation-documentation.ts'

interface Described {
  readonly operations: OperationRegistry
  readonly vendored: VendorIdentifiers
}

const preface = `# Operations

\`quire operations --markdown\` writes this page; a test keeps it true.

\`POST /api/v1/automation/{operation}\` with \`{"params": {…}, "input": …, "context": {…}}\` runs one. \`input\` is an id, a path, a list of
them, a document entity, any other value, or a file in a form behind the JSON. \`POST /api/v1/id/{id}/@op/{operation}\` gives it a
document, and \`/upload/{batch}/execute/{operation}\` uploaded files. \`…/@async\` behind an operation runs it in the background.

Parameters with a * are required; \`= x\` is what counts when one is absent. An operation that takes a document also takes
documents, one after the other, where both are listed.
`

/** All operations and chains by category, as a page for documentation. */
export function renderOperationsPage(described: Described): string {
  const all = documentAll(described)
  const categories = [...new Set(all.map(({ category }) => category))].sort()
  const sections = categories.map((category) =>
    renderCategory(
      category,
      all.filter((one) => one.category === category),
      described.operations,
    ),
  )
  return [preface, ...sections].join('\n')
}

function renderCategory(category: string, documented: readonly OperationDocumentation[], registry: OperationRegistry): string {
  const rows = documented.map((one) => `| ${renderCells(one, registry.read(one.id)).join(' | ')} |`)
  return [`## ${category}`, '', '| operation | in → out | parameters | what it does |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  )
}

function renderCells(
  { id, aliases = [], signature, description }: OperationDocumentation,
  callable: Callable,
): readonly string[] {
  const { params, access } = partsOf(callable)
  return [
    [`\`${id}\``, ...aliases.map((alias) => `\`${alias}\``)].join('<br>'),
    inLines(signature.flatMap((word, index) => (index % 2 === 0 ? [`${word} → ${signature[index + 1]}`] : []))),
    inLines(Object.entries(params).map(([name, parameter]) => renderParameter(name, parameter))),
    inCell([description ?? '', renderAccess(access)].filter((text) => text !== '').join(' ')),
  ]
}

function partsOf(callable: Callable): { readonly params: ParameterTable; readonly access: OperationBinding } {
  if (callable.kind === 'operation') return callable.operation
  const { params = {}, access = {} } = callable.chain
  return { params, access }
}

function renderParameter(name: string, { word, isRequired, description, values, ...parameter }: Parameter): string {
  const fallback = parameter.default === undefined ? '' : ` = ${inCell(stringifyJson(parameter.default))}`
  const choices = values === undefined || values.length === 0 ? '' : ` (${inCell(values.join(', '))})`
  return `\`${name}\`${isRequired ? '*' : ''} ${word}${fallback}${choices}${description === undefined ? '' : `: ${inCell(description)}`}`
}

function renderAccess({ administrators = false, groups = [], isDisabled = false }: OperationBinding): string {
  if (isDisabled) return 'Disabled.'
  const callers = [...(administrators ? ['administrators'] : []), ...groups]
  return callers.length === 0 ? '' : `Only for ${callers.join(', ')}.`
}

function inLines(lines: readonly string[]): string {
  return lines.join('<br>')
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')
}
