// Loaded before every test file: properties are tried on the same examples each time, so that a commit that passes here passes
// everywhere. Another `QUIRE_TEST_SEED` tries others.
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['QUIRE_TEST_SEED'] ?? 1) })
