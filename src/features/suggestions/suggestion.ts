/** Something that somebody who types into a search box may mean. */
export interface Suggestion {
  readonly id: string
  readonly label: string
  readonly type: 'document' | 'user' | 'group'
  readonly icon: string | null
  /** Like `url`, behind the address of the server. */
  readonly thumbnailUrl: string | null
  readonly url: string
  /** Where the term stands, as HTML with each match in `<em>`. */
  readonly highlights: readonly { readonly field: string; readonly segments: readonly string[] }[]
}
