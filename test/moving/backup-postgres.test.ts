import { test } from 'node:test'
import { backUpUnderWriters } from './backups/back-up-under-writers.ts'

test('a server that is written to is backed up three times, one killed in between, each to a state that there was', (t) =>
  backUpUnderWriters(t, 'postgres'))
