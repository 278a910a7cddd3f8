import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { type FlowingBlob, jsonBlob } from '../../../automation/values/flowing-blob.ts'
import { valueOfJson } from '../../../automation/values/read-sent-properties.ts'
import type { Json } from '../../../base/json.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { requireDirectoryKeeper } from '../../../core/directories/directory-rights.ts'
import { findEntry } from '../../../core/directories/find-entry.ts'
import { readDirectory } from '../../../core/directories/read-directory.ts'
import { searchEntries } from '../../../core/directories/search-entries.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import { foldTerm } from '../../../store/directory-terms.ts'
import { readLabels, translateLabel } from '../labels.ts'
import { parseFilters, readField } from './entry-filters.ts'
import { parseIds } from './sent-entries.ts'
import { shownValues } from './shown-entry.ts'

const everything = { offset: 0, limit: Number.MAX_SAFE_INTEGER }

interface LabelParameters {
  readonly translateLabels: boolean
  readonly lang: string
}

const labelParameters = {
  translateLabels: defaulted('boolean', false, { description: 'Show the texts that the keys in label stand for' }),
  lang: defaulted('string', 'en'),
} as const

export const listEntries = defineOperation({
  id: 'Directory.Entries',
  category: 'Services',
  description: 'Gives all entries of a directory.',
  effect: 'reads',
  access: { administrators: true },
  params: { directoryName: required('string'), ...labelParameters },
  run: ({ on }) => {
    const list = (params: LabelParameters & { readonly directoryName: string }, context: OperationContext) =>
      context.directories.read(async (session) => {
        const definition = readDirectory(session, params.directoryName)
        const { entries } = await searchEntries(session, definition, everything)
        return writeEntries(context, definition, entries, params)
      })
    return [
      on('document', 'blob', (_, { params, context }) => list(params, context)),
      on('void', 'blob', (_, { params, context }) => list(params, context)),
    ]
  },
})

export const readEntries = defineOperation({
  id: 'Directory.ReadEntries',
  category: 'Services',
  description:
    'Gives entries of a directory by their ids, to administrators and power users. Ids that no entry has are left out.',
  effect: 'reads',
  params: {
    directoryName: required('string'),
    entries: required('string', { description: 'The ids, as the text of a JSON list' }),
    ...labelParameters,
  },
  run: ({ on }) => [
    on('void', 'blob', (_, { params, context }) =>
      context.directories.read(async (session) => {
        const definition = readDirectory(session, params.directoryName)
        requireDirectoryKeeper(session.principal, definition)
        const found = await Promise.all(parseIds(params.entries).map((id) => findEntry(session, definition, id)))
        const entries = found.filter((entry) => entry !== undefined)
        return writeEntries(context, definition, entries, params)
      }),
    ),
  ],
})

export const projectEntries = defineOperation({
  id: 'Directory.Projection',
  category: 'Services',
  description: 'Puts the values of one field of the entries of a directory into a context variable.',
  effect: 'reads',
  params: {
    directoryName: required('string'),
    columnName: required('string', { description: 'The field' }),
    variableName: required('string'),
    filters: optional('properties', { description: 'Values that fields must have' }),
    fulltextFields: optional('stringlist', { description: 'Fields that need only begin with the value of their filter' }),
  },
  run: ({ on }) => [
    on('void', 'void', async (_, { params, context }) => {
      const { services } = context
      const values = await context.directories.read(async (session) => {
        const definition = readDirectory(session, params.directoryName)
        const { name: column } = readField(services, definition, params.columnName)
        const filters = parseFilters(services, definition, params.filters ?? {})
        const begun = params.fulltextFields?.map((name) => readField(services, definition, name).name)
        const isLoose = (field: string) => begun?.includes(field) && typeof filters[field] === 'string'
        const [loose, exact] = splitFilters(filters, isLoose)
        const { entries } = await searchEntries(session, definition, { ...everything, equal: exact })
        return entries.filter((entry) => beginsWith(entry, loose)).map((entry) => entry.values[column] ?? null)
      })
      context.variables.set(params.variableName, valueOfJson(values as Json))
    }),
  ],
})

type Values = DirectoryEntry['values']

function splitFilters(filters: Values, isLoose: (field: string) => boolean | undefined): readonly [loose: Values, exact: Values] {
  const all = Object.entries(filters)
  return [
    Object.fromEntries(all.filter(([field]) => isLoose(field))),
    Object.fromEntries(all.filter(([field]) => !isLoose(field))),
  ]
}

function beginsWith({ values }: DirectoryEntry, beginnings: Values): boolean {
  return Object.entries(beginnings).every(([field, beginning]) =>
    foldTerm(String(values[field] ?? '')).startsWith(foldTerm(String(beginning))),
  )
}

async function writeEntries(
  { services }: OperationContext,
  definition: DirectoryDefinition,
  entries: readonly DirectoryEntry[],
  { translateLabels, lang }: LabelParameters,
): Promise<FlowingBlob> {
  const shown = entries.map((entry) => shownValues(services, definition, entry))
  if (!translateLabels) return jsonBlob(shown)
  const labels = await readLabels(services.directories)
  const translated = ({ label }: { readonly label?: unknown }) =>
    typeof label === 'string' ? { label: translateLabel(labels, label, [lang]) } : {}
  return jsonBlob(shown.map((entry) => ({ ...entry, ...translated(entry) })))
}
