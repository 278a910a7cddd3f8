import { defineSettings } from '../settings/define-settings.ts'

/** Where people look at documents. */
export const documentUrlSettings = defineSettings({
  documentUrlPattern: {
    type: 'string',
    default: '{base}nxdoc/{repo}/{id}',
    help: 'Address of a document for people, with {base}, {repo} and {id} to be filled in',
  },
})

/** The document's page in the user interface of this deployment: the pattern with `{base}`, `{repo}` and `{id}` filled in. */
export function documentUrl(
  pattern: string,
  values: { readonly base: string; readonly repo: string; readonly id: string },
): string {
  return pattern.replace(/\{(base|repo|id)\}/g, (_, name: keyof typeof values) => values[name])
}

/** What stands between `api/v1/` and the rest of an address in this repository: nothing in the one that is meant where none is named. */
export function repositoryPlace(name: string): string {
  return name === 'default' ? '' : `repo/${encodeURIComponent(name)}/`
}
