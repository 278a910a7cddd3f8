import { findBrokenBlobs } from './blob-flaws.ts'
import { builtinIndexing } from './builtin-indexing.ts'
import type { DatabasePlace, EngineName } from './database-place.ts'

/** What must never be found in a database, whenever its server was stopped: a sentence, and the rows that prove it. */
const flaws: Readonly<Record<string, string>> = {
  'has a parent that does not exist': `
    SELECT id FROM documents
     WHERE parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM documents AS parent WHERE parent.id = documents.parent_id)`,
  "has a path that is not its parent's and its name": `
    SELECT child.id FROM documents AS child JOIN documents AS parent ON parent.id = child.parent_id
     WHERE child.path <> CASE parent.path WHEN '/' THEN '' ELSE parent.path END || '/' || child.name OR child.path IS NULL`,
  'is somewhere without a parent': `SELECT id FROM documents WHERE parent_id IS NULL AND path IS NOT NULL AND path <> '/'`,
  'is a version in a folder': 'SELECT id FROM documents WHERE is_version = 1 AND (parent_id IS NOT NULL OR path IS NOT NULL)',
  'is an incomplete version': `
    SELECT id FROM documents
     WHERE is_version = 1 AND (series_id IS NULL OR version_created IS NULL OR is_checked_in = 0 OR major_version + minor_version = 0)`,
  'is checked in on a version that does not exist': `
    SELECT id FROM documents
     WHERE is_version = 0 AND is_proxy = 0 AND is_checked_in = 1
       AND NOT EXISTS (SELECT 1 FROM documents AS version
                        WHERE version.id = documents.base_version_id AND version.series_id = documents.id AND version.is_version = 1
                          AND version.major_version = documents.major_version AND version.minor_version = documents.minor_version)`,
  'is the latest version and not the newest, or the other way round': `
    SELECT id FROM documents
     WHERE is_version = 1
       AND (is_latest_version = 1) <>
           (seq = (SELECT newest.seq FROM documents AS newest
                    WHERE newest.series_id = documents.series_id AND newest.is_version = 1
                    ORDER BY newest.version_created DESC, newest.seq DESC LIMIT 1))`,
  'has the label of another version': `
    SELECT id FROM documents
     WHERE is_version = 1
       AND EXISTS (SELECT 1 FROM documents AS other
                    WHERE other.series_id = documents.series_id AND other.is_version = 1 AND other.seq <> documents.seq
                      AND other.major_version = documents.major_version AND other.minor_version = documents.minor_version)`,
  'has rights that do not exist': 'SELECT id FROM documents WHERE acp_id NOT IN (SELECT id FROM acps)',
  'has other rights than its parent, and none of its own': `
    SELECT child.id FROM documents AS child JOIN documents AS parent ON parent.id = child.parent_id
     WHERE child.acls IS NULL AND child.acp_id <> parent.acp_id`,
  'is a proxy of nothing': `
    SELECT id FROM documents
     WHERE is_proxy = 1 AND NOT EXISTS (SELECT 1 FROM documents AS target WHERE target.id = documents.target_id)`,
  'is a proxy and does not repeat what it shows': `
    SELECT proxy.id FROM documents AS proxy JOIN documents AS target ON target.id = proxy.target_id
     WHERE proxy.type <> target.type OR proxy.state <> target.state
        OR proxy.major_version <> target.major_version OR proxy.minor_version <> target.minor_version
        OR proxy.is_latest_version <> target.is_latest_version OR proxy.is_latest_major_version <> target.is_latest_major_version
        OR coalesce(proxy.version_created, '') <> coalesce(target.version_created, '')
        OR coalesce(proxy.properties ->> 'dc:title', '') <> coalesce(target.properties ->> 'dc:title', '')`,
}

/** The same where the engines keep words in their own ways. Of titles, whose words here are ASCII; nodes of workflows are not searched for. */
const wordFlaws: Readonly<Record<EngineName, Readonly<Record<string, string>>>> = {
  sqlite: {
    'has words and is not there': 'SELECT id FROM fulltext_docsize WHERE id NOT IN (SELECT seq FROM documents)',
    'has a title and no words': `
      SELECT id FROM documents
       WHERE properties ->> 'dc:title' GLOB '*[a-zA-Z0-9]*' AND type <> 'RouteNode' AND seq NOT IN (SELECT id FROM fulltext_docsize)`,
    'is not found by its title': `
      SELECT id FROM documents
       WHERE properties ->> 'dc:title' GLOB '*[a-zA-Z0-9]*' AND type <> 'RouteNode'
         AND NOT EXISTS (SELECT 1 FROM fulltext
                          WHERE fulltext.rowid = documents.seq AND fulltext MATCH 'title : "' || (properties ->> 'dc:title') || '"')`,
  },
  postgres: {
    'has words and is not there': 'SELECT seq AS id FROM fulltext WHERE seq NOT IN (SELECT seq FROM documents)',
    'has a title and no words': `
      SELECT id FROM documents
       WHERE properties ->> 'dc:title' ~ '[a-zA-Z0-9]' AND type <> 'RouteNode' AND seq NOT IN (SELECT seq FROM fulltext)`,
    'is not found by its title': `
      SELECT id FROM documents JOIN fulltext ON fulltext.seq = documents.seq
       WHERE type <> 'RouteNode' AND trim(title_text) <>
             trim(regexp_replace(lower(coalesce(properties ->> 'dc:title', '')), '[^a-z0-9]+', ' ', 'g'))`,
  },
}

/** Everything in the database and the blob store that contradicts something else there, as sentences. */
export async function findFlaws(place: DatabasePlace): Promise<readonly string[]> {
  const found: string[] = []
  for (const [sentence, statement] of [...Object.entries(flaws), ...Object.entries(wordFlaws[place.engine])]) {
    for (const { id } of await place.query(statement)) found.push(`${id} ${sentence}`)
  }
  return [...found, ...(await forgottenVersions(place)), ...(await findBrokenBlobs(place)), ...(await misplacedValues(place))]
}

/** The items of lists are kept a second time, where queries look for them. */
async function misplacedValues(place: DatabasePlace): Promise<string[]> {
  const column = place.engine === 'sqlite' ? 'properties' : 'properties::text'
  // At one moment: a database that was cut off from its server may still end what that had asked it for.
  const rows = await place.query(`
    SELECT seq, ${column} AS properties, NULL AS name, NULL AS value FROM documents
    UNION ALL SELECT seq, NULL, name, value FROM document_values`)
  const documents = rows.filter(({ properties }) => properties !== null)
  const kept = rows.filter(({ properties }) => properties === null)
  const held = documents.flatMap(({ seq, properties }) =>
    builtinIndexing.valuesOf(JSON.parse(String(properties))).map(([name, value]) => `${seq} ${name} ${value}`),
  )
  const [inDocuments, inTable] = [new Set(held), new Set(kept.map(({ seq, name, value }) => `${seq} ${name} ${value}`))]
  return [
    ...[...inDocuments.difference(inTable)].map((value) => `${value} is not among the listed values`),
    ...[...inTable.difference(inDocuments)].map((value) => `${value} is among the listed values and nowhere else`),
  ]
}

/** Versions outlive their document only until a job that is on record removes them. */
async function forgottenVersions(place: DatabasePlace): Promise<string[]> {
  const jobs = await place.query(`SELECT payload FROM jobs WHERE kind = 'removeOrphanVersions' AND state <> 'parked'`)
  const awaited = jobs.map(({ payload }) => String(payload)).join()
  const orphans = await place.query(`
    SELECT id, series_id FROM documents
     WHERE is_version = 1 AND NOT EXISTS (SELECT 1 FROM documents AS live WHERE live.id = documents.series_id)
       AND NOT EXISTS (SELECT 1 FROM documents AS proxy WHERE proxy.series_id = documents.series_id AND proxy.is_proxy = 1)`)
  return orphans
    .filter(({ series_id }) => !awaited.includes(String(series_id)))
    .map(({ id }) => `${id} is a version of nothing, and no job removes it`)
}
