"""Requests for try.sh: each has a number, which its command writes down and prints; a client that gets no answer asks the other node.

usage: try.py REQUESTS CLIENTS FOLDER: of try.sh, with the token, what kills, and the nodes' volumes
"""
import collections
import http.client
import json
import statistics
import subprocess
import sys
import threading
import time

requests, clients, work = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
with open(work + "/token") as file:
    token = file.read().strip()
nodes = ["10.77.99.1", "10.77.99.2"]
lock = threading.Lock()
waiting = collections.deque(range(requests))
taken, answers, wrong = [], collections.Counter(), []
retried = set()


def ask(node, number):
    connection = http.client.HTTPConnection(node, 8787, timeout=30)
    try:
        connection.request(
            "POST", "/api/execute", json.dumps({"command": f"echo {number} >> ran; echo {number}"}),
            {"Content-Type": "application/json", "Authorization": "Bearer " + token, "Host": "sandbox.test",
             "Idempotency-Key": f"try-{number}"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def client(index):
    node = index % 2
    while True:
        with lock:
            if not waiting:
                return
            number = waiting.popleft()
        start = time.monotonic()
        for attempt in range(60):
            try:
                status, body = ask(nodes[node], number)
            except (OSError, http.client.HTTPException, ValueError):
                status, body = 0, None
            if status not in (0, 429, 503):
                break
            with lock:
                answers["no answer" if status == 0 else f"refused with {status}"] += 1
                retried.add(number)
            node = 1 - node
            time.sleep(min(1, 0.05 * 2 ** attempt))
        with lock:
            good = status == 200 and body["data"]["stdout"] == f"{number}\n"
            answers["right" if good else f"wrong: {status}"] += 1
            if not good:
                wrong.append((number, status, body))
            taken.append(1000 * (time.monotonic() - start))


def kill_when(part, name):
    while True:
        with lock:
            if len(taken) >= part * requests:
                break
        time.sleep(0.01)
    ended = subprocess.run(["sh", f"{work}/{name}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    print(f"after {len(taken)} answers: {name}: {'done' if ended.returncode == 0 else ended.stderr.strip()}", flush=True)


begin = time.monotonic()
threads = [threading.Thread(target=client, args=(i,)) for i in range(clients)]
threads += [threading.Thread(target=kill_when, args=(1 / 3, "kill-replica")), threading.Thread(target=kill_when, args=(2 / 3, "kill-engine"))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

times = collections.Counter()
for node in "12":
    try:
        with open(f"{work}/data{node}/volumes/sandbox_work/_data/ran") as file:
            times.update(int(line) for line in file)
    except FileNotFoundError:
        pass
twice = {number for number, count in times.items() if count > 1}
never = set(range(requests)) - set(times)
taken.sort()
print(f"{requests} requests from {clients} clients in {time.monotonic() - begin:.1f} s: {dict(answers)}")
print(f"p50 {statistics.median(taken):.0f} ms, p99 {taken[int(len(taken) * 0.99)]:.0f} ms, longest {taken[-1]:.0f} ms")
print(f"{len(retried)} were sent again; {len(twice)} ran twice, {len(twice - retried)} of them without being sent again; {len(never)} never ran")
if wrong or never or twice - retried:
    print("NOT GOOD", wrong[:3])
    sys.exit(1)
