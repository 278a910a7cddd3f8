const marked = /[~/\\?&;@]/g

/** The name of a user's workspace: characters that mean something in an address become `~` and their code. */
export function workspaceName(user: string): string {
  return user.replace(marked, (character) => `~${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
