"""FastAPI as its tutorial sets it up: models of the body, `skip` and `limit`, 404 and 422, PUT and PATCH."""

import sys
from typing import Any, Dict, List, Optional

import uvicorn
from fastapi import FastAPI, HTTPException, Query, Response
from pydantic import BaseModel

app = FastAPI()


class Client(BaseModel):
    first_name: Optional[str] = None
    last_name: Optional[str] = None
    email: Optional[str] = None
    phone: Optional[str] = None
    notes: Optional[str] = None
    loyalty_number: Optional[int] = None
    balance: Optional[float] = None
    address: Optional[Dict[str, Any]] = None
    created_at: Optional[str] = None
    updated_at: Optional[str] = None


class Appointment(BaseModel):
    client_id: int
    stylist_id: int
    service: Optional[str] = None
    start_time: str
    duration: int
    status: Optional[str] = None
    updated_at: Optional[str] = None


class Stylist(BaseModel):
    name: Optional[str] = None


tables: Dict[str, Dict[int, Dict[str, Any]]] = {"clients": {}, "appointments": {}, "stylists": {}}


def add_routes(name: str, model: Any) -> None:
    rows = tables[name]

    def find(id: int) -> Dict[str, Any]:
        if id not in rows:
            raise HTTPException(status_code=404, detail="Not found")
        return rows[id]

    @app.get(f"/{name}")
    def read_all(skip: int = Query(0, ge=0), limit: int = Query(100, ge=1, le=100), email: Optional[str] = None):
        found = [row for row in rows.values() if email is None or row.get("email") == email]
        return found[skip : skip + limit]

    @app.get(f"/{name}/{{id}}")
    def read_one(id: int):
        return find(id)

    @app.post(f"/{name}", status_code=201)
    def create(body: model):
        id = max(rows, default=0) + 1
        rows[id] = {"id": id, **body.dict()}
        return rows[id]

    @app.put(f"/{name}/{{id}}")
    def replace(id: int, body: model):
        find(id)
        rows[id] = {"id": id, **body.dict()}
        return rows[id]

    @app.patch(f"/{name}/{{id}}")
    def change(id: int, body: Dict[str, Any]):
        known = model(**{**find(id), **body}).dict()
        rows[id] = {"id": id, **known}
        return rows[id]

    @app.delete(f"/{name}/{{id}}", status_code=204)
    def delete(id: int):
        find(id)
        del rows[id]
        return Response(status_code=204)


add_routes("clients", Client)
add_routes("appointments", Appointment)
add_routes("stylists", Stylist)


@app.get("/_truth")
def read_truth() -> Dict[str, List[Dict[str, Any]]]:
    return {name: list(rows.values()) for name, rows in tables.items()}


@app.put("/_truth")
def replace_truth(records: Dict[str, List[Dict[str, Any]]]) -> None:
    for name, rows in tables.items():
        rows.clear()
        rows.update({row["id"]: row for row in records.get(name, [])})


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
