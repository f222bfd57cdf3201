// Reads Parquet files by DuckDB and by hyparquet, and prints what each of them reads.
//
// usage: node read_parquet.mjs MODULES FILE...
//
// MODULES is the folder that `scripts/modules duckdb` prints. Prints a line of JSON for each file and reader:
//   columns     [name, type ("number" or "text"), whether values may be missing]
//   groups      for each row group: its rows, and [missing, smallest, largest] of each column
//   rows        arrays of null, "n" and a number, or "t" and a text
// Numbers are written as texts, because JSON's numbers are less exact. Other types end the program.
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import path from 'node:path';

const [modules, ...files] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(modules, 'node_modules', name)).href);

function shown(value) {
  switch (typeof value) {
    case 'bigint': return `n${value}`;
    case 'string': return `t${value}`;
    default:
      if (value !== null && value !== undefined) throw new Error(`${typeof value} ${value}`);
      return null;
  }
}

// ---- DuckDB

const { DuckDBInstance } = await load('@duckdb/node-api/lib/index.js');
const connection = await (await DuckDBInstance.create(':memory:')).connect();

async function query(text) {
  return (await connection.runAndReadAll(text)).getRows();
}

async function byDuckdb(file) {
  const name = `'${file.replaceAll("'", "''")}'`;
  const types = { BIGINT: 'number', VARCHAR: 'text' };
  const optional = new Map((await query(
    `SELECT name, repetition_type FROM parquet_schema(${name}) WHERE num_children IS NULL`)));
  const described = await query(`DESCRIBE SELECT * FROM read_parquet(${name}, hive_partitioning = false)`);
  const groups = [];
  for (const [group, rows, missing, least, most] of await query(
    `SELECT row_group_id, row_group_num_rows, stats_null_count, stats_min_value, stats_max_value
     FROM parquet_metadata(${name}) ORDER BY row_group_id, column_id`)) {
    groups[group] ??= { rows: Number(rows), columns: [] };
    groups[group].columns.push([Number(missing), least, most]);
  }
  return {
    columns: described.map(([column, type]) => [column, types[type], optional.get(column) === 'OPTIONAL']),
    groups,
    rows: (await query(`FROM read_parquet(${name}, hive_partitioning = false)`)).map((row) => row.map(shown)),
  };
}

// ---- hyparquet

const { asyncBufferFromFile, parquetMetadataAsync, parquetRead } = await load('hyparquet/src/node.js');
const compressors = {
  GZIP(input, length) {
    const output = gunzipSync(input);
    if (output.length !== length) throw new Error(`a page has ${output.length} bytes, not ${length}`);
    return output;
  },
};

async function byHyparquet(name) {
  const file = await asyncBufferFromFile(name);
  const metadata = await parquetMetadataAsync(file);
  const columns = metadata.schema.slice(1).map((one) => [
    one.name,
    one.type === 'INT64' && !one.converted_type ? 'number'
      : one.type === 'BYTE_ARRAY' && one.converted_type === 'UTF8' ? 'text' : undefined,
    one.repetition_type === 'OPTIONAL',
  ]);
  const groups = metadata.row_groups.map((group) => ({
    rows: Number(group.num_rows),
    columns: group.columns.map(({ meta_data: { statistics } }) => [
      Number(statistics.null_count),
      statistics.min_value === undefined ? null : String(statistics.min_value),
      statistics.max_value === undefined ? null : String(statistics.max_value),
    ]),
  }));
  let rows = [];
  if (metadata.num_rows > 0n) {
    await parquetRead({ file, metadata, compressors, onComplete: (data) => { rows = data; } });
  }
  if (BigInt(rows.length) !== metadata.num_rows) throw new Error(`${rows.length} rows`);
  return { columns, groups, rows: rows.map((row) => row.map(shown)) };
}

for (const file of files) {
  for (const [reader, read] of [['duckdb', byDuckdb], ['hyparquet', byHyparquet]]) {
    process.stdout.write(`${JSON.stringify({ reader, file, ...(await read(file)) })}\n`);
  }
}
