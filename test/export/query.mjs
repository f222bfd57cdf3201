// Runs queries by DuckDB over the tables of `otter export --to=parquet` in the working folder.
//
// usage: node query.mjs MODULES FILE.sql...
//
// The first file makes the views. Prints the rows of each other file, as a line of JSON: objects.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

const [modules, views, ...files] = process.argv.slice(2);
const { DuckDBInstance } = await import(
  pathToFileURL(path.join(modules, 'node_modules/@duckdb/node-api/lib/index.js')).href);
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(readFileSync(views, 'utf8'));
for (const file of files) {
  const result = await connection.runAndReadAll(readFileSync(file, 'utf8'));
  const rows = result.getRowObjects();
  const number = (name, value) => (typeof value === 'bigint' ? Number(value) : value);
  process.stdout.write(`${JSON.stringify(rows, number)}\n`);
}
