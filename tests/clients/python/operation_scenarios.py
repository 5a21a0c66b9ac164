"""
Calls every method of the Viam SDK's DataClient, and those of its AppClient that the service has, and checks the answers: the
scenarios of ../viam-sdk-scenarios.ts and ../operation-scenarios.ts, in Python. Prints a line of JSON for each scenario: its name,
its calls with the code of each, and the error, or null. The last line names the methods that no scenario has called.
"""

import asyncio
import json
import os
import tempfile
import traceback
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone

from grpclib.client import Stream
from grpclib.const import Status
from grpclib.exceptions import GRPCError
from viam.app.app_client import AppClient
from viam.app.data_client import DataClient
from viam.app.viam_client import ViamClient
from viam.proto.app.data import (
    DeleteTabularFilter,
    IndexableCollection,
    Order,
    SequenceResourceFilter,
    TabularDataSourceType,
)
from viam.proto.app.datapipelines import DataPipelineRunStatus
from viam.proto.app.dataset import DatasetType, SequenceDatasetExportStatus
from viam.rpc.dial import Credentials, DialOptions
from viam.utils import create_filter

ORGANIZATION, LOCATION, PART, ADDRESS, KEY_ID, KEY = (
    os.environ[f"SIGHTGLASS_{name}"] for name in ("ORGANIZATION", "LOCATION", "PART", "ADDRESS", "KEY_ID", "KEY")
)
CAMERA, SENSOR = "rdk:component:camera", "rdk:component:sensor"
# Read once, so that a scenario expects the times that it has sent.
STARTED = datetime.now(timezone.utc).replace(second=0, microsecond=0, tzinfo=None)
# Ten minutes past an hour, three hours ago: windows of whole hours after it are closed.
FEW_HOURS_AGO = STARTED.replace(minute=10) - timedelta(hours=3)
PATIENCE_S = 60

calls = []
called = set()
scenarios = {}
sdk: DataClient
fleet: AppClient


def observe():
    """Notes the code of every call of a channel."""
    leave = Stream.__aexit__

    async def observed(self, kind, error, trace):
        try:
            result = await leave(self, kind, error, trace)
        except GRPCError as refusal:
            error = refusal
            raise
        finally:
            code = error.status.name if isinstance(error, GRPCError) else "OK" if error is None else "UNKNOWN"
            calls.append([self._method_name.rsplit("/", 1)[1], code])
        return result

    Stream.__aexit__ = observed


class Observed:
    """The SDK's client, which notes the methods that are asked for."""

    def __init__(self, client):
        self._client = client

    def __getattr__(self, name):
        called.add(name)
        return getattr(self._client, name)


def scenario(name):
    def add(run):
        scenarios[name] = run
        return run

    return add


def unique(word):
    return f"{word}-{uuid.uuid4().hex[:8]}"


def ago(minutes):
    return STARTED - timedelta(minutes=minutes)


def some_bytes(length):
    return bytes((index * 31 + (index >> 8)) % 251 for index in range(length))


def equal(found, expected):
    assert found == expected, f"{found!r} instead of {expected!r}"


async def refused(call, *statuses):
    try:
        await call
    except GRPCError as error:
        equal(error.status in statuses, True)
        return
    raise AssertionError(f"not refused with {statuses}")


async def until(question):
    """Asks until the answer is true; hosts run pipelines at their next poll."""
    for _ in range(PATIENCE_S * 5):
        answer = await question()
        if answer:
            return answer
        await asyncio.sleep(0.2)
    raise AssertionError("waited in vain")


async def images(component, count=1, **more):
    ids = []
    for index in range(count):
        times = (ago(20 - index), ago(19 - index))
        content = some_bytes(100 + index)
        ids.append(
            await sdk.binary_data_capture_upload(
                content, PART, CAMERA, component, "ReadImage", "png", data_request_times=times, **more
            )
        )
    return ids


async def readings(component, values, start=None, **more):
    first = start or ago(20)
    times = [(first + timedelta(minutes=index),) * 2 for index in range(len(values))]
    rows = [{"readings": {"celsius": value}} for value in values]
    return await sdk.tabular_data_capture_upload(rows, PART, SENSOR, component, "Readings", times, **more)


async def metadata_of(binary_id):
    return (await sdk.binary_data_by_ids([binary_id], include_binary_data=False))[0].metadata


async def ids_of(**constraints):
    page, _, _ = await sdk.binary_data_by_filter(create_filter(**constraints), include_binary_data=False)
    return {image.metadata.binary_data_id for image in page}


@scenario("logs in with a key")
async def logs_in():
    global sdk, fleet
    client = await connect(KEY)
    sdk, fleet = Observed(client.data_client), client.app_client
    await refused(connect("wrong"), Status.UNAUTHENTICATED)


async def connect(key):
    options = DialOptions(insecure=True, auth_entity=KEY_ID, credentials=Credentials("api-key", key))
    return await ViamClient.create_from_dial_options(options, app_url=ADDRESS)


@scenario("uploads captures and files, and reads them back")
async def uploads():
    [image] = await images(unique("cam"), tags=["first"])
    assert image.startswith(f"{ORGANIZATION}/{LOCATION}/")
    [found] = await sdk.binary_data_by_ids([image])
    equal(found.binary, some_bytes(100))
    about = found.metadata
    equal([about.capture_metadata.mime_type, list(about.capture_metadata.tags)], ["image/png", ["first"]])
    equal([about.time_requested.ToDatetime(), about.time_received.ToDatetime()], [ago(20), ago(19)])
    await refused(sdk.binary_data_by_ids([f"{image}x"]), Status.NOT_FOUND)
    content = some_bytes(2 * 65_536 + 17)
    # The SDK sends the stem of the path as the file's name, and the extension apart.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "walk.mp4")
        with open(path, "wb") as file:
            file.write(content)
        walk = await sdk.file_upload_from_path(path, PART, tags=["clip"])
    clip = await sdk.file_upload(PART, content, file_name="clip.mp4")
    large = await sdk.streaming_data_capture_upload(content, PART, "jpg", CAMERA, "cam", "ReadImage")
    found = await sdk.binary_data_by_ids([walk, clip, large])
    equal([one.binary == content for one in found], [True] * 3)
    equal([one.metadata.capture_metadata.mime_type for one in found], ["video/mp4", "video/mp4", "image/jpeg"])
    empty = await sdk.file_upload(PART, b"")
    equal((await sdk.binary_data_by_ids([empty]))[0].binary, b"")


@scenario("pages through files by a filter")
async def pages_files():
    component = unique("cam")
    ids = await images(component, 5)
    seen, last = [], None
    while last != "":
        page, _, last = await sdk.binary_data_by_filter(
            create_filter(component_name=component), 2, Order.ORDER_ASCENDING, last, include_binary_data=False
        )
        seen += [image.metadata.binary_data_id for image in page]
    equal(seen, ids)
    newest, _, _ = await sdk.binary_data_by_filter(create_filter(component_name=component), limit=1)
    equal([image.binary for image in newest], [some_bytes(104)])
    _, count, _ = await sdk.binary_data_by_filter(create_filter(component_name=component), count_only=True)
    equal(count, 5)
    equal(await ids_of(component_name=component, start_time=ago(19), end_time=ago(17)), set(ids[1:3]))


@scenario("takes readings, and gives them back in order")
async def takes_readings():
    name = unique("probe")
    assert await sdk.get_latest_tabular_data(PART, name, SENSOR, "Readings") is None
    await readings(name, [20, 21.5, 23], tags=["kitchen"])
    rows = await sdk.export_tabular_data(PART, name, SENSOR, "Readings")
    equal([row.payload for row in rows], [{"readings": {"celsius": value}} for value in (20, 21.5, 23)])
    equal([rows[0].time_captured, rows[0].resource_api, rows[0].tags], [ago(20), SENSOR, ["kitchen"]])
    between = await sdk.export_tabular_data(PART, name, SENSOR, "Readings", ago(19), ago(18))
    equal([row.time_captured for row in between], [ago(19)])
    captured, _, payload = await sdk.get_latest_tabular_data(PART, name, SENSOR, "Readings")
    equal([captured, payload], [ago(18), {"readings": {"celsius": 23}}])
    chosen = create_filter(component_name=name)
    first, _, last = await sdk.tabular_data_by_filter(chosen, 2, Order.ORDER_ASCENDING)
    second, _, _ = await sdk.tabular_data_by_filter(chosen, 2, Order.ORDER_ASCENDING, last)
    equal([row.data["readings"]["celsius"] for row in first + second], [20, 21.5, 23])
    equal([row.metadata.component_name for row in first], [name] * 2)
    equal((await sdk.tabular_data_by_filter(chosen, count_only=True))[1], 3)
    unknown = sdk.tabular_data_capture_upload([{"a": 1}], "none", SENSOR, name, "Readings", [(ago(1), ago(1))])
    await refused(unknown, Status.INVALID_ARGUMENT)


@scenario("asks by SQL and by MQL")
async def asks():
    name = unique("probe")
    await readings(name, [10, 20, 60])
    await readings(name, [500], ago(60 * 26))
    mean = f"SELECT AVG(data.readings.celsius) AS mean, COUNT(*) AS n FROM readings WHERE component_name = '{name}'"
    equal(
        await sdk.tabular_data_by_sql(ORGANIZATION, f"{mean} AND data.readings.celsius < 100"), [{"mean": 30, "n": 3}]
    )
    of_name = {"$match": {"component_name": name}}
    values = {"$project": {"_id": 0, "celsius": "$data.readings.celsius", "at": "$time_requested"}}
    recent = {"$match": {"time_requested": {"$gte": ago(19)}}}
    equal(
        await sdk.tabular_data_by_mql(ORGANIZATION, [of_name, recent, {"$sort": {"time_requested": 1}}, values]),
        [{"celsius": 20, "at": ago(19)}, {"celsius": 60, "at": ago(18)}],
    )
    count = [of_name, {"$count": "n"}]
    equal(await sdk.tabular_data_by_mql(ORGANIZATION, count), [{"n": 4}])
    hot = TabularDataSourceType.TABULAR_DATA_SOURCE_TYPE_HOT_STORAGE
    equal(await sdk.tabular_data_by_mql(ORGANIZATION, count, tabular_data_source_type=hot), [{"n": 3}])
    await refused(sdk.tabular_data_by_mql(ORGANIZATION, [{"$out": "elsewhere"}]), Status.INVALID_ARGUMENT)
    await refused(sdk.tabular_data_by_sql(ORGANIZATION, "DROP TABLE readings"), Status.INVALID_ARGUMENT)


@scenario("tags by ids and by filter")
async def tags():
    component = unique("cam")
    one, two = await images(component, 2)
    chosen = create_filter(component_name=component)
    await sdk.add_tags_to_binary_data_by_ids(["good", "indoors"], [one])
    await sdk.add_tags_to_binary_data_by_filter(["seen"], chosen)
    equal(list((await metadata_of(two)).capture_metadata.tags), ["seen"])
    equal(sorted(await sdk.tags_by_filter(chosen)), ["good", "indoors", "seen"])
    equal(await ids_of(component_name=component, tags=["good", "other"]), {one})
    equal(await sdk.remove_tags_from_binary_data_by_ids(["good", "never"], [one]), 1)
    equal(await sdk.remove_tags_from_binary_data_by_filter(["seen"], chosen), 2)
    equal(list((await metadata_of(one)).capture_metadata.tags), ["indoors"])
    await refused(sdk.add_tags_to_binary_data_by_ids([], [one]), Status.INVALID_ARGUMENT)


@scenario("draws, changes and removes boxes")
async def boxes():
    component = unique("cam")
    [image] = await images(component)
    box = await sdk.add_bounding_box_to_image_by_id(image, "cup", 0.1, 0.2, 0.3, 0.4, 0.9)
    equal(list(await sdk.bounding_box_labels_by_filter(create_filter(component_name=component))), ["cup"])
    await sdk.update_bounding_box(image, box, "mug", 0.1, 0.2, 0.5, 0.4, 0.8)
    [drawn] = (await metadata_of(image)).annotations.bboxes
    equal(
        [drawn.id, drawn.label, drawn.x_max_normalized, drawn.y_max_normalized, drawn.confidence],
        [box, "mug", 0.5, 0.4, 0.8],
    )
    await sdk.remove_bounding_box_from_image_by_id(box, image)
    equal(len((await metadata_of(image)).annotations.bboxes), 0)
    await refused(sdk.add_bounding_box_to_image_by_id(image, "cup", 0.5, 0, 0.4, 1), Status.INVALID_ARGUMENT)


@scenario("keeps datasets")
async def datasets():
    name = unique("cups")
    dataset = await sdk.create_dataset(name, ORGANIZATION)
    [inside] = await images(unique("cam"), dataset_ids=[dataset])
    other = await sdk.create_dataset(f"{name}-other", ORGANIZATION)
    [added] = await images(unique("cam"))
    await sdk.add_binary_data_to_dataset_by_ids([added], other)
    both = await sdk.merge_datasets(f"{name}-both", ORGANIZATION, [dataset, other])
    equal(await ids_of(dataset_id=both), {inside, added})
    await sdk.remove_binary_data_from_dataset_by_ids([inside], both)
    equal(await ids_of(dataset_id=both), {added})
    await sdk.rename_dataset(dataset, f"{name}-2")
    listed = await sdk.list_datasets_by_organization_id(ORGANIZATION)
    equal([one.name for one in listed if one.id == dataset], [f"{name}-2"])
    await refused(sdk.create_dataset(f"{name}-2", ORGANIZATION), Status.ALREADY_EXISTS)
    await sdk.delete_dataset(dataset)
    equal([one.id for one in await sdk.list_dataset_by_ids([dataset, other])], [other])
    equal(list((await metadata_of(inside)).dataset_ids), [])


@scenario("runs a pipeline over the windows that passed, and reads its sink")
async def pipelines():
    name, pipeline_name = unique("probe"), unique("means")
    await readings(name, [10, 20], FEW_HOURS_AGO)
    stages = [
        {"$match": {"component_name": name}},
        {"$group": {"_id": "$component_name", "mean": {"$avg": "$data.readings.celsius"}}},
    ]
    pipeline = await sdk.create_data_pipeline(ORGANIZATION, f"{pipeline_name}-first", stages, "0 * * * *", True)
    await sdk.rename_data_pipeline(pipeline, pipeline_name)
    kept = await sdk.get_data_pipeline(pipeline)
    equal([kept.name, kept.enabled, kept.mql_binary], [pipeline_name, True, stages])
    equal(pipeline in [one.id for one in await sdk.list_data_pipelines(ORGANIZATION)], True)
    source = {
        "tabular_data_source_type": TabularDataSourceType.TABULAR_DATA_SOURCE_TYPE_PIPELINE_SINK,
        "pipeline_id": pipeline,
    }

    async def above(mean):
        return await sdk.tabular_data_by_mql(ORGANIZATION, [{"$match": {"mean": {"$gt": mean}}}], **source)

    [row] = await until(lambda: above(14))
    equal([row["_id"], row["mean"], row["_viam_pipeline_run"]["organization_id"]], [name, 15, ORGANIZATION])
    sink = IndexableCollection.INDEXABLE_COLLECTION_PIPELINE_SINK
    await sdk.create_index(ORGANIZATION, sink, {"keys": {"mean": 1}}, pipeline_name)
    equal([one.index_name for one in await sdk.list_indexes(ORGANIZATION, sink, pipeline_name)], ["mean_1"])
    equal(await above(15), [])
    await sdk.delete_index(ORGANIZATION, sink, "mean_1", pipeline_name)

    async def second_page():
        return (await (await sdk.list_data_pipeline_runs(pipeline, 1)).next_page()).runs

    await until(second_page)
    runs = (await sdk.list_data_pipeline_runs(pipeline, 100)).runs
    [run] = [run for run in runs if run.data_start_time < FEW_HOURS_AGO < run.data_end_time]
    equal(run.status, DataPipelineRunStatus.DATA_PIPELINE_RUN_STATUS_COMPLETED)
    await sdk.delete_data_pipeline(pipeline)
    await refused(sdk.get_data_pipeline(pipeline), Status.NOT_FOUND)


@scenario("keeps indexes that speed queries up")
async def indexes():
    field = f"data.readings.{unique('celsius').replace('-', '_')}"
    hot = IndexableCollection.INDEXABLE_COLLECTION_HOT_STORE
    await sdk.create_index(ORGANIZATION, hot, {field: -1})
    [index] = [one for one in await sdk.list_indexes(ORGANIZATION, hot) if one.index_name == f"{field}_-1"]
    equal(json.loads(index.index_spec[0]), {field: -1})
    await sdk.delete_index(ORGANIZATION, hot, f"{field}_-1")
    equal([one for one in await sdk.list_indexes(ORGANIZATION, hot) if one.index_name == f"{field}_-1"], [])


@scenario("signs URLs that anyone may fetch")
async def signs():
    [image] = await images(unique("cam"))
    url, expires = await sdk.create_binary_data_signed_url(image, 5)
    equal(timedelta(minutes=4) < expires - datetime.now(timezone.utc).replace(tzinfo=None) < timedelta(minutes=6), True)
    with await asyncio.to_thread(urllib.request.urlopen, url) as answer:
        equal([answer.headers["content-type"], answer.read()], ["image/png", some_bytes(100)])
    await refused(sdk.create_binary_data_signed_url(image, 10_081), Status.INVALID_ARGUMENT)


def window(first, last):
    return {"start_time": ago(first), "end_time": ago(last)}


@scenario("keeps sequences, whose images are listed")
async def sequences():
    component = unique("cam")
    _, second, third = await images(component, 3)
    resources = [SequenceResourceFilter(resource_name=component, method_name="ReadImage")]
    sequence = await sdk.create_sequence(PART, resources, **window(19, 18), sequence_tags=["good"])
    kept = await sdk.get_sequence(sequence)
    equal([kept.part_id, list(kept.resources), list(kept.sequence_tags)], [PART, resources, ["good"]])
    listed, _ = await sdk.list_sequences(ORGANIZATION, page_size=1)
    equal([one.id for one in listed], [sequence])

    async def listed_images():
        return [one.metadata.binary_data_id for one in (await sdk.get_sequence_binary_data(sequence))[0]]

    equal(await listed_images(), [second, third])
    await sdk.update_sequence(sequence, sequence_tags=[], end_time=ago(19))
    equal(list((await sdk.get_sequence(sequence)).sequence_tags), [])
    equal(await listed_images(), [second])
    await sdk.delete_sequence(sequence)
    await refused(sdk.get_sequence(sequence), Status.NOT_FOUND)


@scenario("exports a dataset of sequences")
async def exports():
    dataset = await sdk.create_dataset(unique("clips"), ORGANIZATION, DatasetType.DATASET_TYPE_SEQUENCE_DATA)
    resources = [SequenceResourceFilter(resource_name="cam", method_name="ReadImage")]
    sequence = await sdk.create_sequence(PART, resources, **window(19, 18))
    await sdk.add_sequences_to_dataset(dataset, [sequence])
    members, _, count = await sdk.sequences_by_dataset_id(dataset)
    equal([[one.id for one in members], count], [[sequence], 1])
    job = await sdk.start_sequence_dataset_export(dataset)
    export = await sdk.get_sequence_dataset_export(job)
    equal(export.status, SequenceDatasetExportStatus.SEQUENCE_DATASET_EXPORT_STATUS_COMPLETED)
    with await asyncio.to_thread(urllib.request.urlopen, export.download_url) as answer:
        equal(b"sequences.parquet" in answer.read(), True)
    await sdk.remove_sequences_from_dataset(dataset, [sequence])
    equal((await sdk.sequences_by_dataset_id(dataset, count_only=True))[2], 0)
    await sdk.delete_dataset(dataset)
    await sdk.delete_sequence(sequence)


@scenario("deletes by ids, by filter and by age")
async def deletes():
    component, probe = unique("cam"), unique("probe")
    one, *others = await images(component, 3)
    equal(await sdk.delete_binary_data_by_ids([one]), 1)
    await refused(sdk.binary_data_by_ids([one]), Status.NOT_FOUND)
    chosen = create_filter(component_name=component, organization_ids=[ORGANIZATION])
    equal(await sdk.delete_binary_data_by_filter(chosen), len(others))
    await readings(probe, [1], ago(60 * 24 * 5))
    await readings(probe, [2])
    equal(await sdk.delete_tabular_data(ORGANIZATION, 3, DeleteTabularFilter(component_name=probe)), 1)
    left = await sdk.export_tabular_data(PART, probe, SENSOR, "Readings")
    equal([row.payload for row in left], [{"readings": {"celsius": 2}}])


@scenario("names the organization, its locations, machines and parts")
async def names():
    await images(unique("cam"))
    organization = await fleet.get_organization(ORGANIZATION)
    equal(await fleet.list_organizations(), [organization])
    location = await fleet.get_location(LOCATION)
    equal(location in await fleet.list_locations(ORGANIZATION), True)
    identities = await fleet.get_organizations_with_access_to_location(LOCATION)
    equal([(one.id, one.name) for one in identities], [(ORGANIZATION, organization.name)])
    part = await fleet.get_robot_part(PART)
    equal([part.id, part.location_id, part.main_part], [PART, LOCATION, True])
    robot = await fleet.get_robot(part.robot)
    equal(PART in [one.id for one in await fleet.get_robot_parts(robot.id)], True)
    robots = await fleet.list_robots(LOCATION)
    equal([len(robots), robot.id in [one.id for one in robots]], [location.robot_count, True])
    await refused(fleet.get_robot_part("none"), Status.NOT_FOUND)


@scenario("sets a password for the database, and asks where it is")
async def database():
    await sdk.configure_database_user(ORGANIZATION, "long enough")
    host, _, port = (await sdk.get_database_connection(ORGANIZATION)).partition(":")
    equal([host, port.isdigit()], [ADDRESS.partition(":")[0], True])


# Deprecated by the SDK itself: the one asks nobody, the other makes a filter as `viam.utils.create_filter` does.
NOT_CALLED = {"delete_tabular_data_by_filter", "create_filter"}


async def main():
    observe()
    for name, run in scenarios.items():
        calls.clear()
        error = None
        try:
            await run()
        except Exception:
            error = traceback.format_exc()
        print(json.dumps({"name": name, "calls": calls, "error": error}), flush=True)
    offered = {name for name, value in vars(DataClient).items() if callable(value) and name[0].islower()}
    print(json.dumps(sorted(offered - called - NOT_CALLED)), flush=True)


asyncio.run(main())
