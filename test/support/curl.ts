import { spawnSync } from 'node:child_process'

/** Options of a test that pastes lines for a shell: nothing but Node.js and npm has to be on a machine. */
export const whereCurlIs =
  spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0 ? {} : { skip: 'there is no curl on this machine' }
