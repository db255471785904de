"""Tantivy as an engine of the search bench: reads commands as lines of JSON, and answers some of them in the same way."""

import json
import re
import resource
import sys
import time

import tantivy

TEXT, KEYWORD, NUMBER = "text", "keyword", "number"


def schema_of(fields):
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("json", stored=True, tokenizer_name="raw", index_option="basic")
    for name, kind in fields.items():
        if kind == NUMBER:
            builder.add_float_field(name, fast=True)
        else:
            # As the other engines have it: positions of words, and values as they are without positions.
            is_text = kind == TEXT
            builder.add_text_field(
                name,
                tokenizer_name="default" if is_text else "raw",
                index_option="position" if is_text else "basic",
            )
    return builder.build()


def document_of(values):
    document = tantivy.Document()
    for name, value in values.items():
        if isinstance(value, list):
            for one in value:
                document.add_text(name, one)
        elif isinstance(value, str):
            document.add_text(name, value)
        else:
            document.add_float(name, value)
    return document


def query_of(query, schema):
    kind = query["kind"]
    if kind == "term":
        return tantivy.Query.term_query(schema, query["field"], query["text"])
    if kind == "prefix":
        return tantivy.Query.regex_query(schema, query["field"], re.escape(query["text"]) + ".*")
    if kind == "phrase":
        return tantivy.Query.phrase_query(schema, query["field"], query["words"])
    if kind == "range":
        bounds = (float(query["from"]), float(query["to"]))
        return tantivy.Query.range_query(schema, query["field"], tantivy.FieldType.Float, *bounds)
    if kind == "butNot":
        parts = [(tantivy.Occur.Must, query["base"]), (tantivy.Occur.MustNot, query["unwanted"])]
    else:
        occur = tantivy.Occur.Must if kind == "and" else tantivy.Occur.Should
        parts = [(occur, part) for part in query["of"]]
    return tantivy.Query.boolean_query([(occur, query_of(part, schema)) for occur, part in parts])


def main():
    folder, fields = sys.argv[1], json.loads(sys.argv[2])
    schema = schema_of(fields)
    index = tantivy.Index(schema, path=folder)
    writer = index.writer(heap_size=512 << 20, num_threads=1)
    searcher = None
    # Parsing the lines is not work of the engine.
    parsing = 0.0
    for line in sys.stdin:
        start = time.thread_time()
        command = json.loads(line)
        parsing += time.thread_time() - start
        if "add" in command:
            for values in command["add"]:
                writer.add_document(document_of(values))
            continue
        if "finish" in command:
            writer.commit()
            writer.wait_merging_threads()
            # Files of segments that were merged would count as size of the index.
            index.writer(heap_size=64 << 20, num_threads=1).garbage_collect_files()
            index.reload()
            searcher = index.searcher()
            used = resource.getrusage(resource.RUSAGE_SELF)
            answer = {"cpuSeconds": time.process_time() - parsing, "peakMegabytes": used.ru_maxrss / 1024}
        else:
            result = searcher.search(query_of(command["search"], schema), limit=10, count=True)
            records = [searcher.doc(address)["json"][0] for _, address in result.hits]
            answer = {"total": result.count, "records": records}
        print(json.dumps(answer), flush=True)


main()
