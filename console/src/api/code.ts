import { requireConsole } from './client.ts'

/** Code of the console did not come: the server is away, or has another console by now. */
export class CodeMissing extends Error {}

/** @throws CodeMissing */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load()
  } catch (error) {
    throw new CodeMissing('', { cause: error })
  }
}

/** Browsers keep for as long as the page lives that a module did not come. @throws Problem if the server is still away: the page stays */
export async function loadAnew(): Promise<void> {
  await requireConsole()
  location.reload()
}
